import type { ReferenceMessages } from './en.ts'
import { en } from './en.ts'
export const es: ReferenceMessages = en
