import { migrate } from './migrations.ts'
import { Session, type SessionOptions } from './session.ts'

/** Opens a session with a database that has this program's tables, made now if need be. */
export async function openDatabase(url: string, options: SessionOptions): Promise<Session> {
  const session = await Session.open(url, options)
  try {
    await migrate(session)
  } catch (error) {
    await session.close()
    throw error
  }
  return session
}
