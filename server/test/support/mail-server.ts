import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onFileFinished } from './file-cleanup.ts'
import { eventually } from './marquee-process.ts'

/** A mail as it arrived: its envelope, its headers and its text. */
interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: string
  readonly text: string
}

/** A mail server over loopback that takes mails of one user, without TLS, and keeps them. */
export class MailServer {
  readonly received: ReceivedMail[] = []
  /** What it answers to recipients, if it refuses them. */
  refusal: string | undefined
  url = ''
  private readonly server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'marquee' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: (_address, _session, done) => done(this.refusal === undefined ? null : new Error(this.refusal)),
    onData: (stream, { envelope }, done) => {
      void text(stream).then((content) => {
        const [headers = '', body = ''] = content.split(/\r\n\r\n(.*)/s)
        this.received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          headers,
          // Undoes quoted-printable, as far as the mails need it.
          text: body.replaceAll('=\r\n', '').replaceAll('=3D', '='),
        })
        done()
      })
    },
  })

  /** Starts it; it is stopped at the end of the test file. */
  async listen(): Promise<this> {
    const listening = once(this.server.server, 'listening')
    this.server.listen(0, '127.0.0.1')
    await listening
    this.url = `smtp://marquee:p%40ss@127.0.0.1:${(this.server.server.address() as AddressInfo).port}`
    onFileFinished(() => void this.server.close(() => {}))
    return this
  }

  /** Waits for so many mails in all, and returns the last one. */
  async mail(count: number): Promise<ReceivedMail> {
    return eventually(async () => this.received[count - 1])
  }
}
