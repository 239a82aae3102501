import type { OperatorMessages } from './en.ts'
import { en } from './en.ts'
export const es: OperatorMessages = en
