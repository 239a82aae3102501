import type { PlatformMessages } from './en.ts'
import { en } from './en.ts'
export const fr: PlatformMessages = en
