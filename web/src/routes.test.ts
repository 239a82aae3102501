import { expect, it } from 'vitest'
import { ENDPOINTS } from '../../server/src/http/api/endpoints.ts'
import { PAGE_PATHS } from './routes.ts'

it('takes no path from the API', () => {
  const routes = ENDPOINTS.flatMap(({ routes }) => routes).map((route) => route.split('/')[1])
  for (const path of PAGE_PATHS) expect(routes).not.toContain(path.split('/')[1])
})
