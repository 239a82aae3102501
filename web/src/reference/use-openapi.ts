import type { Answer } from '../data/answer.ts'
import { useAnswer } from '../data/use-answer.ts'
import { loadOpenApi, type OpenApi } from './openapi.ts'

/** What the service says of its own API. */
export function useOpenApi(): Answer<OpenApi> & { readonly retry: () => void } {
  return useAnswer('openapi', loadOpenApi)
}
