import { countryQuestion } from './data/country-question.ts'
import type { Question } from './data/question.ts'
import type { Viewer } from './data/viewer.ts'
import { popularQuestion } from './explorer/home/popular-question.ts'
import { showQuestion } from './explorer/show/show-question.ts'
import type { PagePath } from './paths.ts'

/** Who opens a page; `rest` is what the `*` of its path stands for. */
export interface Visit extends Viewer {
  readonly rest: string
}

/**
 * What a page has to know before it shows anything of worth. The service sends the answers along with the page: it
 * reads from the build which requests these questions make. What is further down a page is asked for by itself.
 */
export const FIRST_QUESTIONS: Readonly<Partial<Record<PagePath, (visit: Visit) => readonly Question<unknown>[]>>> = {
  '/': (visit) => [countryQuestion(visit), popularQuestion(visit)],
  '/show/*': (visit) => [showQuestion(visit, visit.rest)],
}
