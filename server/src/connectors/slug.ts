import { tokenize } from '../catalog/index/analyzer.ts'

/** A name as an id: its words in plain lower-case letters, with hyphens between; undefined where none are left. */
export function slug(name: string): string | undefined {
  const words = tokenize(name).flatMap((word) => word.replace(/[^a-z0-9]/g, '') || [])
  const id = words.join('-').slice(0, 64).replace(/-$/, '')
  return id === '' ? undefined : id
}
