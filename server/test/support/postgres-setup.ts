import type { TestProject } from 'vitest/node'
import { PostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the PostgreSQL server that all tests share. */
    postgres: string
  }
}

/** Starts the PostgreSQL server of a run, and stops it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.start()
  project.provide('postgres', server.databaseUrl('postgres'))
  return () => server.stop()
}
