import { onTestFinished, TestRunner } from 'vitest'
import type { AppSettings } from '../../src/http/app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aTestService, TestService } from '../support/test-service.ts'

/** A service for the running test, or, made outside of one, for all tests of its block; gone when they are over. */
export async function aRunningService(
  records: Iterable<object> = [],
  settings: Partial<AppSettings> = {},
): Promise<TestService> {
  if (TestRunner.getCurrentTest() === undefined) return aTestService(records, settings)
  const service = await TestService.open(temporaryFolder(onTestFinished), settings)
  onTestFinished(() => service.close())
  await service.fill(records)
  return service
}
