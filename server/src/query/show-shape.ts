/** Opt-in members of shows, in the order in which a show has them. */
export const INCLUDES = [
  'numbers',
  'provenance',
  'tmdbProviderIds',
  'aliases',
  'originalLanguage',
  'popularity',
  'bestOffer',
  'history',
] as const
export type Include = (typeof INCLUDES)[number]

/** The member that an opt-in adds to an object. */
export function includedMember(include: Include): string {
  return include === 'numbers' ? 'number' : include
}

/** Some members of an object, or of all objects in a list or a map. */
export interface FieldTree {
  /** Whether the value is a map: its keys are no members. */
  readonly isMap: boolean
  /** The chosen members; all of them if undefined. */
  readonly members: ReadonlyMap<string, FieldTree> | undefined
}

/** Which members of shows are answered. */
export interface ShowShape {
  /** Identifies the shape in caches. */
  readonly name: string
  /** The chosen members; all ordinary ones if absent. */
  readonly fields?: FieldTree
  readonly includes: ReadonlySet<Include>
  /** Members that were included and are in no field: they come wherever the object is that has them. */
  readonly extraMembers: ReadonlySet<string>
  /** What a viewer subscribes to: services, and addons as `<service>.addon.<addon>`. */
  readonly services: ReadonlySet<string>
}
