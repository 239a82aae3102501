import type { Catalog } from '../catalog/catalog.ts'
import {
  findAddonInCountry,
  findCountry,
  findGenre,
  findServiceInCountry,
  type Reference,
} from '../catalog/reference.ts'
import { countryName } from '../model/country.ts'
import { genreName } from '../model/genre.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { OFFER_TYPES } from '../model/offer.ts'
import type { Brand, ServiceInCountry } from '../model/service.ts'

/** The order in which a country's service prints its option types. */
const OPTION_TYPE_ORDER = [
  'addon',
  'buy',
  'rent',
  'free',
  'subscription',
] as const satisfies (typeof OFFER_TYPES)[number][]

/**
 * Reference data as ready JSON text, made once for each language and country and kept until the reference data
 * changes.
 */
export class ReferenceRenderer {
  private readonly catalog: Catalog
  private readonly reference: Reference
  private readonly ready = new Map<string, Buffer>()
  private readonly byNumber = new Map<string, (Buffer | undefined)[]>()

  constructor(catalog: Catalog, reference: Reference) {
    this.catalog = catalog
    this.reference = reference
  }

  /** A genre, by its number in the catalog's dictionary. */
  genre(number: number, language: OutputLanguage): Buffer {
    return this.numbered(`genre/${language}`, number, () => {
      const id = this.catalog.dictionary.text(number)
      return JSON.stringify({ id, name: genreName(findGenre(this.reference, id) ?? { id, names: {} }, language) })
    })
  }

  /** The `service` of an option or a change, by its number in the catalog's dictionary. */
  service(number: number, country: string, language: OutputLanguage): Buffer {
    return this.numbered(`service/${country}/${language}`, number, () =>
      this.serviceJson(this.catalog.dictionary.text(number), country, language),
    )
  }

  /** The `addon` of an option or a change, by its number in the catalog's dictionary. */
  addon(number: number, service: number, country: string, language: OutputLanguage): Buffer {
    return this.numbered(`addon/${service}/${country}/${language}`, number, () =>
      this.addonJson(this.catalog.dictionary.text(number), this.catalog.dictionary.text(service), country, language),
    )
  }

  serviceJson(id: string, country: string, language: OutputLanguage): string {
    return JSON.stringify(brandObject(id, findServiceInCountry(this.reference, id, country), language))
  }

  addonJson(id: string, service: string, country: string, language: OutputLanguage): string {
    return JSON.stringify(brandObject(id, findAddonInCountry(this.reference, service, id, country), language))
  }

  genres(language: OutputLanguage): Buffer {
    return this.whole(`genres/${language}`, () =>
      Object.values(this.reference.genres)
        .map((genre) => ({ id: genre.id, name: genreName(genre, language) }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
  }

  countries(language: OutputLanguage, as: 'array' | 'map'): Buffer {
    return this.whole(`countries/${as}/${language}`, () => {
      const codes = Object.keys(this.reference.countries).sort()
      const countries = codes.map((code) => this.countryObject(code, language))
      return as === 'array' ? countries : Object.fromEntries(codes.map((code, i) => [code, countries[i]]))
    })
  }

  /** A country, or undefined where the catalog has none of that code. */
  country(code: string, language: OutputLanguage): Buffer | undefined {
    if (findCountry(this.reference, code) === undefined) return undefined
    return this.whole(`country/${code}/${language}`, () => this.countryObject(code, language))
  }

  private countryObject(code: string, language: OutputLanguage): object | undefined {
    const country = findCountry(this.reference, code)
    if (country === undefined) return undefined
    const services = country.services.flatMap((id) => {
      const service = findServiceInCountry(this.reference, id, code)
      return service === undefined ? [] : serviceObject(id, service, language)
    })
    return { countryCode: code, name: countryName(country, language), services }
  }

  private whole(key: string, make: () => unknown): Buffer {
    let bytes = this.ready.get(key)
    if (bytes === undefined) {
      bytes = Buffer.from(JSON.stringify(make()))
      this.ready.set(key, bytes)
    }
    return bytes
  }

  private numbered(table: string, number: number, make: () => string): Buffer {
    let list = this.byNumber.get(table)
    if (list === undefined) {
      list = []
      this.byNumber.set(table, list)
    }
    let bytes = list[number]
    if (bytes === undefined) {
      bytes = Buffer.from(make())
      list[number] = bytes
    }
    return bytes
  }
}

/** What options and changes print of a service or an addon; of one that is not known, its id. */
function brandObject(id: string, brand: Brand | undefined, language: OutputLanguage): object {
  const { lightThemeImage = '', darkThemeImage = '', whiteImage = '' } = brand?.imageSet ?? {}
  return {
    id,
    name: brand?.names?.[language] ?? brand?.name ?? id,
    homePage: brand?.homePage ?? '',
    themeColorCode: brand?.themeColorCode ?? '#000000',
    imageSet: { lightThemeImage, darkThemeImage, whiteImage },
  }
}

function serviceObject(id: string, service: ServiceInCountry, language: OutputLanguage): object {
  return {
    ...brandObject(id, service, language),
    streamingOptionTypes: Object.fromEntries(
      OPTION_TYPE_ORDER.map((type) => [type, service.optionTypes.includes(type)]),
    ),
    addons: service.addons.map((addon) => brandObject(addon.id, addon, language)),
  }
}
