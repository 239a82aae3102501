import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { describeUnknownSettings, listSettings, loadEnvFile, readSettings, SettingsError } from './config.ts'

test('an empty environment gives the defaults', () => {
  expect(readSettings({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: './data',
    visitorQuota: 5_000,
    maxConnections: 1_024,
    maxStreamsPerKey: 10,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    metricsToken: undefined,
    workers: availableParallelism(),
    databaseUrl: undefined,
    maxLagSeconds: 60,
    logDays: 7,
    marketplace: 'Market',
    keyPrefix: 'mq-key-',
    marketplaceSecret: undefined,
    signUp: undefined,
    smtpUrl: undefined,
    mailFrom: undefined,
    publicUrl: undefined,
    trustedProxies: [],
    secret: undefined,
    compatibility: 'none',
    countries: 'array',
    fastPath: 'on',
    retentionDays: 62,
    historyDays: Number.POSITIVE_INFINITY,
    sourcesFile: 'data/sources.json',
    privateSources: 'refuse',
    privateWebhooks: 'refuse',
    operatorWebhook: { url: undefined, secret: undefined },
    tmdb: { token: '', api: 'https://api.themoviedb.org', files: 'https://files.tmdb.org' },
    watchmode: { key: '', api: 'https://api.watchmode.com' },
    tvmazeApi: 'https://api.tvmaze.com',
    v4Key: '',
    logLevel: 'info',
  })
})

test('a mail server needs a sender', () => {
  const smtp = { MARQUEE_SMTP_URL: 'smtps://user:secret@mail.example:465' }
  expect(() => readSettings(smtp)).toThrow('MARQUEE_MAIL_FROM is not set')
  expect(() => readSettings({ MARQUEE_SMTP_URL: 'mail.example', MARQUEE_MAIL_FROM: 'a@b\r\nBcc: c@d' })).toThrow(
    /MARQUEE_SMTP_URL is set; it must be an address such as .*\nMARQUEE_MAIL_FROM is .*; it must be an e-mail address/,
  )
  expect(readSettings({ ...smtp, MARQUEE_MAIL_FROM: 'Marquee <a@mail.example>' })).toMatchObject({
    smtpUrl: smtp.MARQUEE_SMTP_URL,
    mailFrom: 'Marquee <a@mail.example>',
  })
  expect(JSON.stringify(listSettings(smtp))).not.toContain('secret@')
})

test('an empty variable counts as unset', () => {
  expect(readSettings({ PORT: '', LOG_LEVEL: '' }).port).toBe(8080)
})

test('values are read, and the result is frozen', () => {
  const settings = readSettings({
    PORT: '0',
    HOST: '::1',
    MARQUEE_DATA: '/srv/marquee',
    MARQUEE_WORKERS: '3',
    MARQUEE_MARKETPLACE: 'Rapid',
    MARQUEE_KEY_PREFIX: 'key_',
    MARQUEE_COUNTRIES: 'map',
    MARQUEE_FAST_PATH: 'off',
    LOG_LEVEL: 'silent',
  })
  expect(settings).toMatchObject({
    port: 0,
    host: '::1',
    workers: 3,
    marketplace: 'Rapid',
    countries: 'map',
    fastPath: 'off',
  })
  expect(Object.isFrozen(settings)).toBe(true)
})

test('MARQUEE_COMPATIBILITY=original sets at once all that clients of the public service expect', () => {
  expect(readSettings({ MARQUEE_COMPATIBILITY: 'original' })).toMatchObject({
    compatibility: 'original',
    countries: 'map',
    keyPrefix: 'motn-key-',
    marketplace: 'Rapid',
  })
})

test('explicit settings win over what MARQUEE_COMPATIBILITY implies', () => {
  const env = {
    MARQUEE_COMPATIBILITY: 'original',
    MARQUEE_COUNTRIES: 'array',
    MARQUEE_KEY_PREFIX: 'mq-key-',
    MARQUEE_MARKETPLACE: '',
  }
  expect(readSettings(env)).toMatchObject({ countries: 'array', keyPrefix: 'mq-key-', marketplace: 'Rapid' })
  expect(() => readSettings({ ...env, MARQUEE_COUNTRIES: 'list' })).toThrow('MARQUEE_COUNTRIES is "list"')
  expect(() => readSettings({ MARQUEE_COMPATIBILITY: 'Original' })).toThrow(
    'MARQUEE_COMPATIBILITY is "Original"; it must be one of none, original',
  )
})

test('every problem is reported in one message, with the variable, the value and what would be right', () => {
  const env = { PORT: '80a', MARQUEE_WORKERS: '0', MARQUEE_MARKETPLACE: 'My Market', MARQUEE_COUNTRIES: 'list' }
  expect(() => readSettings(env)).toThrow(SettingsError)
  expect(() => readSettings(env)).toThrow(
    [
      'The settings cannot be used:',
      'PORT is "80a"; it must be a whole number from 0 to 65535',
      'MARQUEE_WORKERS is "0"; it must be a whole number from 1 to 1024',
      'MARQUEE_MARKETPLACE is "My Market"; it must be one to 32 letters and digits',
      'MARQUEE_COUNTRIES is "list"; it must be one of array, map',
    ].join('\n'),
  )
})

test('a database is named by a URL, and its password is never repeated', () => {
  const url = 'postgres://marquee:secret@localhost/marquee?sslmode=require'
  expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url)
  const read = () => readSettings({ DATABASE_URL: 'mysql://marquee:secret@localhost/marquee' })
  expect(read).toThrow('DATABASE_URL is set; it must be a URL such as postgres://')
  expect(read).not.toThrow(/secret/)
})

test('a database may be named with files of certificates, and with the folder of a socket', () => {
  const read = (url: string) => readSettings({ DATABASE_URL: url }).databaseUrl
  for (const url of [
    'postgresql://marquee@db.example:5432/marquee?sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca.pem',
    'postgres://marquee@localhost/marquee?host=/var/run/postgresql',
    'postgres://marquee:secret@/marquee?host=/var/run/postgresql',
    'postgres:///marquee?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/marquee',
    'postgres://[::1]:5432/marquee',
  ]) {
    expect(read(url)).toBe(url)
  }
  for (const url of [
    'postgres://',
    'postgres://localhost',
    'postgres://localhost/',
    'postgres://localhost/marquee/more',
    'postgres://localhost:port/marquee',
    'postgres://localhost/?host=/var/run/postgresql',
    'postgres://local host/marquee',
    'postgres:marquee',
    '/var/run/postgresql',
  ]) {
    expect(() => read(url), url).toThrow('DATABASE_URL is set; it must be a URL such as postgres://')
  }
})

test('proxies are addresses, networks and the names of usual ones', () => {
  const read = (text: string) => readSettings({ MARQUEE_TRUSTED_PROXIES: text }).trustedProxies
  expect(read('10.0.0.0/8, loopback,::1')).toEqual(['10.0.0.0/8', 'loopback', '::1'])
  for (const wrong of ['everyone', '10.0.0.0/33', '10.0.0.1/8/8', '10.0.0.1,']) {
    expect(() => read(wrong), wrong).toThrow('MARQUEE_TRUSTED_PROXIES')
  }
})

test('settings are listed with value and source, and secrets are masked', () => {
  const env = { PORT: '81', MARQUEE_SECRET: 'a secret of some length', MARQUEE_COMPATIBILITY: 'original', HOST: '' }
  const listed = new Map(listSettings(env).map(({ name, value, source }) => [name, [value, source]]))
  expect(listed.get('PORT')).toEqual(['81', 'environment'])
  expect(listed.get('HOST')).toEqual(['127.0.0.1', 'default'])
  expect(listed.get('MARQUEE_COUNTRIES')).toEqual(['map', 'MARQUEE_COMPATIBILITY'])
  expect(listed.get('MARQUEE_SECRET')).toEqual(['********', 'environment'])
  expect(listed.get('TMDB_TOKEN')).toEqual(['', 'default'])
  expect(JSON.stringify(listSettings(env))).not.toContain('a secret')
})

test('a variable that looks like a setting and is none is named, with what was probably meant', () => {
  const env = { MARQUEE_WORKER: '2', MARQUEE_COFFEE: 'black', MARQUEE_DATA: 'data', MARQUEE_TEST_SEED: '1', PORT: '80' }
  expect(describeUnknownSettings(env)).toEqual([
    'There is no setting MARQUEE_WORKER; did you mean MARQUEE_WORKERS?',
    'There is no setting MARQUEE_COFFEE',
  ])
})

test('settings come from a file .env where the environment does not have them', () => {
  const file = join(temporaryFolder(), '.env')
  writeFileSync(file, '# of this machine\nPORT=81\nHOST="::1"\nMARQUEE_DATA=/srv/data\nMARQUEE_DATTA=x\nEDITOR=ed\n')
  const env: Record<string, string | undefined> = { HOST: '127.0.0.1' }
  loadEnvFile(env, file)
  expect(env).toEqual({ HOST: '127.0.0.1', PORT: '81', MARQUEE_DATA: '/srv/data', MARQUEE_DATTA: 'x' })
  expect(listSettings(env).filter(({ source }) => source === '.env')).toMatchObject([
    { name: 'PORT', value: '81' },
    { name: 'MARQUEE_DATA', value: '/srv/data' },
  ])
  loadEnvFile(env, `${file}.absent`)
})
