declare module '*.md' {
  import type { Guide } from './guide.ts'

  const guide: Guide
  export default guide
}
