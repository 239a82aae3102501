import type { Country, GetCountryParameters, ListCountriesParameters } from './api-types.ts'
import { checkCountries, checkCountry } from './checks.ts'
import type { CallOptions } from './options.ts'
import { pathOf } from './request-url.ts'
import type { Requester } from './requester.ts'

/** Countries with their services and the addons of those. */
export class Countries {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** All countries of the catalog. */
  async list(parameters: ListCountriesParameters = {}, options?: CallOptions): Promise<Country[]> {
    // A service can be set to answer a map by country code.
    const body = await this.#requester.get<object>('/countries', parameters, checkCountries, options)
    return Object.values(body)
  }

  /** One country by its code (ISO 3166-1 alpha-2, in any case). */
  async get(countryCode: string, parameters: GetCountryParameters = {}, options?: CallOptions): Promise<Country> {
    const path = `/countries${pathOf('the code of a country', countryCode, 1)}`
    return this.#requester.get(path, parameters, checkCountry, options)
  }
}
