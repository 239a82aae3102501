import type { DashboardMessages } from './en.ts'
import { en } from './en.ts'
export const tr: DashboardMessages = en
