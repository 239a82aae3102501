import type { TestAnswer, TestService } from './test-service.ts'

/** A browser on the service's pages: it keeps the cookie, sends the headers of browsers, and asks for problem details. */
export class Browser {
  cookie = ''
  csrf = ''
  private readonly service: TestService
  constructor(service: TestService) {
    this.service = service
  }

  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<TestAnswer> {
    const answer = await this.service.raw(
      `/platform${path}`,
      {
        accept: 'application/json, application/problem+json',
        'sec-fetch-site': 'same-origin',
        ...(this.cookie !== '' && { cookie: this.cookie }),
        ...(this.csrf !== '' && { 'x-csrf-token': this.csrf }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      method,
      body === undefined ? undefined : JSON.stringify(body),
    )
    const set = String(answer.headers['set-cookie'] ?? '')
    if (set !== '') this.cookie = set.split(';')[0] as string
    if (answer.body?.csrfToken !== undefined) this.csrf = answer.body.csrfToken
    return answer
  }
}
