import type { OperatorMessages } from './en.ts'
import { en } from './en.ts'
export const tr: OperatorMessages = en
