import type { OfferType } from '../model/offer.ts'
import { homePage, logoImages } from './artwork-url.ts'
import type { FeedAddon, FeedOptionTypes, FeedServiceLooks, ServiceRecord } from './feed-record.ts'
import type { Market } from './markets.ts'
import { DEMO_ADDONS, DEMO_SERVICES, type DemoService } from './services.ts'

/** The services that the markets have, as the feed states them. */
export function serviceRecords(markets: readonly Market[], baseUrl: string): ServiceRecord[] {
  const present = new Set(markets.flatMap((market) => market.country.services))
  const codes = new Set(markets.map((market) => market.code))
  return DEMO_SERVICES.filter((service) => present.has(service.id)).map((service) => recordOf(service, codes, baseUrl))
}

function recordOf(service: DemoService, codes: ReadonlySet<string>, baseUrl: string): ServiceRecord {
  const countries: Record<string, Partial<FeedServiceLooks>> = {}
  for (const code of Object.keys(service.countries ?? {})) {
    if (codes.has(code)) countries[code] = looksIn(service, code, baseUrl)
  }
  return {
    kind: 'service',
    id: service.id,
    name: service.name,
    homePage: homePage(baseUrl, service.id),
    themeColorCode: service.color,
    imageSet: logoImages(baseUrl, service.id),
    hasTopList: service.hasTopList === true,
    hasUpcoming: service.hasUpcoming === true,
    streamingOptionTypes: optionTypes(service.types, service.addons ?? []),
    addons: addonsOf(service.id, service.addons ?? [], baseUrl),
    ...(service.names === undefined ? {} : { names: service.names }),
    ...(Object.keys(countries).length === 0 ? {} : { countries }),
  }
}

function looksIn(service: DemoService, code: string, baseUrl: string): Partial<FeedServiceLooks> {
  const here = service.countries?.[code] ?? {}
  const types = here.types ?? service.types
  const addons = here.addons ?? service.addons ?? []
  const ownLooks = here.name !== undefined || here.color !== undefined
  return {
    ...(here.name === undefined ? {} : { name: here.name }),
    homePage: homePage(baseUrl, service.id, code),
    ...(here.color === undefined ? {} : { themeColorCode: here.color }),
    ...(ownLooks ? { imageSet: logoImages(baseUrl, `${service.id}.${code}`) } : {}),
    streamingOptionTypes: optionTypes(types, addons),
    addons: addonsOf(service.id, addons, baseUrl),
    ...(here.names === undefined ? {} : { names: here.names }),
  }
}

function optionTypes(types: readonly OfferType[], addons: readonly string[]): FeedOptionTypes {
  return {
    addon: types.includes('addon') && addons.length > 0,
    buy: types.includes('buy'),
    rent: types.includes('rent'),
    free: types.includes('free'),
    subscription: types.includes('subscription'),
  }
}

function addonsOf(service: string, ids: readonly string[], baseUrl: string): FeedAddon[] {
  return ids.map((id) => {
    const addon = DEMO_ADDONS.get(id)
    if (addon === undefined) throw new Error(`The demo has no addon "${id}".`)
    return {
      id,
      name: addon.name,
      homePage: homePage(baseUrl, service, `addon/${id}`),
      themeColorCode: addon.color,
      imageSet: logoImages(baseUrl, `${service}/${id}`),
    }
  })
}
