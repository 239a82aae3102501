import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MailServer } from '../support/mail-server.ts'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('commands that send mails', () => {
  let server: MailServer
  let env: Record<string, string>

  beforeAll(async () => {
    server = await new MailServer().listen()
    env = {
      MARQUEE_DATA: join(temporaryFolder(afterAll), 'data'),
      MARQUEE_SMTP_URL: server.url,
      MARQUEE_MAIL_FROM: 'Marquee <no-reply@marquee.example>',
      MARQUEE_PUBLIC_URL: 'https://marquee.example',
    }
    const made = await marquee(['admin', 'create', 'ann@example.com'], env, Buffer.from('correct horse battery\n'))
    expect(made).toMatchObject({ code: 0 })
  })

  test('`accounts invite --mail` sends the link and prints no code', async () => {
    const { code, stdout } = await marquee(['accounts', 'invite', 'bob@example.com', '--mail'], env)
    expect(code).toBe(0)
    const mail = await server.mail(1)
    expect(mail).toMatchObject({ from: 'no-reply@marquee.example', to: ['bob@example.com'] })
    const link = /https:\/\/marquee\.example\/\S+/.exec(mail.text)?.[0] ?? ''
    const secret = /[\w-]{20,}$/.exec(link)?.[0] ?? ''
    expect(secret).not.toBe('')
    expect(stdout).toContain('bob@example.com')
    expect(stdout).not.toContain(secret)
  })

  test('`accounts reset --mail` sends a link by which the owner sets a new password', async () => {
    const { code, stdout } = await marquee(['accounts', 'reset', 'ann@example.com', '--mail', '--json'], env)
    expect(code).toBe(0)
    const printed = JSON.parse(stdout) as Record<string, unknown>
    expect(printed).toMatchObject({ email: 'ann@example.com' })
    expect(printed).not.toHaveProperty('code')
    const mail = await server.mail(2)
    expect(mail.to).toEqual(['ann@example.com'])
    expect(mail.text).toMatch(/https:\/\/marquee\.example\/reset-password\S*[\w-]{20,}/)
  })

  test('a mail server that refuses is named, with its reason and the link that it did not take', async () => {
    server.refusal = 'no such mailbox'
    const { code, stdout, stderr } = await marquee(['accounts', 'invite', 'cleo@example.com', '--mail'], env)
    server.refusal = undefined
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^marquee: The mail server of MARQUEE_SMTP_URL did not take the mail: .*no such mailbox/)
    expect(stderr).toMatch(/https:\/\/marquee\.example\/sign-up#[\w-]{20,}\n$/)
  })

  test('without a mail server --mail says which setting it needs, and makes no invitation', async () => {
    const { MARQUEE_SMTP_URL: _, MARQUEE_MAIL_FROM: __, ...without } = env
    const { code, stderr } = await marquee(['accounts', 'invite', 'dora@example.com', '--mail'], without)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^marquee: .*MARQUEE_SMTP_URL/)
  })
})
