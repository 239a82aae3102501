import { VersionedCache } from '../../lib/cache.ts'
import Type, { type TSchema } from '../../lib/json-schema.ts'
import { suggestName } from '../../lib/text/edit-distance.ts'
import { type FieldTree, INCLUDES, type Include, includedMember, type ShowShape } from '../../query/queries.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { rejectValue } from '../request/parameter-parser.ts'
import type { EndpointContext } from './endpoint.ts'
import { SCHEMAS } from './schemas.ts'
import { resolveServices } from './shared-parameters.ts'

/** The most entries of `fields`, and of `services`. */
const MAX_FIELDS = 100
const MAX_SERVICES = 32

const fields = (example: readonly string[], addition = '') =>
  Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_FIELDS,
      description:
        `Only these members, up to ${MAX_FIELDS}, in the order in which answers have them; dots lead into objects, also through lists and ` +
        `by country (\`streamingOptions.link\`). Members that are not named are left out, required ones too.${addition}`,
      examples: [example],
    }),
  )

const include = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: INCLUDES.length,
    description:
      `Members to add: ${INCLUDES.map((name) => `\`${name}\``).join(', ')}. \`numbers\` are those of seasons and episodes, ` +
      '`provenance` is of options, `tmdbProviderIds` are of services, all else is of shows.',
    examples: [['originalLanguage', 'numbers']],
  }),
)

const services = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: MAX_SERVICES,
    description: `For \`bestOffer\`: up to ${MAX_SERVICES} subscriptions that the viewer has, each \`<service>\` or \`<service>.addon.<addon>\`.`,
    examples: [['netflix', 'prime.addon.starz']],
  }),
)

/** The parameters that choose the members of shows. */
export const shapeParameters = { fields: fields(['title', 'streamingOptions.link']), include, services }

/** Those of changes and their shows. */
export const changeShapeParameters = {
  fields: fields(
    ['changeType', 'timestamp', 'show.title'],
    ' Members of the show begin with `show.`; without any, `shows` is empty.',
  ),
  include,
  services,
}

interface ShapeValues {
  readonly fields?: readonly string[] | undefined
  readonly include?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
}

/** Shapes by their fields: clients ask for the same ones of many shows, and routes are kept with their shape. */
export const shapeCache = new VersionedCache<string, ShowShape>({
  name: 'shapes',
  maxBytes: 512 * 1024,
  sizeOf: ({ name }, fields) => 1024 + 8 * (name.length + fields.length),
})

/** The shape of shows that the parameters ask for; undefined for that of a request without them. */
export function resolveShape(given: ShapeValues, context: EndpointContext): ShowShape | undefined {
  const { fields: paths, include: added, services: owned } = given
  // What is added depends on the catalog as well.
  if (paths === undefined || added !== undefined || owned !== undefined) return buildShowShape(given, context)
  // With their number, a path with a comma in it is not taken for two.
  const key = `${paths.length} ${paths.join()}`
  const cached = shapeCache.get(key)
  if (cached !== undefined) return cached
  const shape = buildShowShape(given, context)
  if (shape !== undefined && shape.includes.size === 0) shapeCache.set(key, shape)
  return shape
}

function buildShowShape(given: ShapeValues, context: EndpointContext): ShowShape | undefined {
  return buildShape(given, context, SHOW_MEMBERS, (tree) => tree)
}

/** The shape of the shows of changes, and the chosen members of the changes themselves. */
export function resolveChangeShape(
  given: ShapeValues,
  context: EndpointContext,
): { readonly shape: ShowShape | undefined; readonly changeFields: FieldTree | undefined } {
  const root = given.fields === undefined ? undefined : buildTree(given.fields, CHANGE_MEMBERS)
  const shape = buildShape(given, context, CHANGE_MEMBERS, (tree) => tree.members?.get('show') ?? NO_FIELDS)
  return { shape, changeFields: root }
}

const NO_FIELDS: FieldTree = { isMap: false, members: new Map() }

function buildShape(
  given: ShapeValues,
  context: EndpointContext,
  known: KnownMembers,
  showPart: (tree: FieldTree) => FieldTree,
): ShowShape | undefined {
  if (given.fields === undefined && given.include === undefined && given.services === undefined) return undefined
  const asked = (given.include ?? []).map(resolveInclude)
  const paths = given.fields ?? []
  const tree = given.fields === undefined ? undefined : buildTree(paths, known)
  const segments = new Set(paths.flatMap((path) => path.split('.')))
  // A field that names an opt-in member asks for it.
  const includes = INCLUDES.filter((name) => asked.includes(name) || segments.has(includedMember(name)))
  const hasBestOffer = includes.includes('bestOffer')
  if (!hasBestOffer && given.services !== undefined) {
    context.ignore({ parameter: 'services', text: given.services.join(), suggest: () => undefined })
  }
  const owned = hasBestOffer ? resolveServices(given.services ?? [], context) : []
  if (tree === undefined && includes.length === 0) return undefined
  // What `include` asks for is added wherever it belongs, what only a field names is added there.
  const extra = includes.filter((name) => asked.includes(name)).map(includedMember)
  const chosen = tree === undefined ? '*' : [...new Set(paths)].sort().join()
  const name = [chosen, includes.join(), extra.join(), owned.join()].join('|')
  return {
    name,
    ...(tree !== undefined && { fields: showPart(tree) }),
    includes: new Set(includes),
    extraMembers: new Set(extra),
    services: new Set(owned),
  }
}

function resolveInclude(text: string): Include {
  const known = INCLUDES.find((name) => name.toLowerCase() === text.toLowerCase())
  if (known !== undefined) return known
  const suggestion = suggestName(text, INCLUDES)
  return rejectValue(
    'include',
    text,
    `a list of ${INCLUDES.join(', ')}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
  )
}

/** The members that an object can have, by the schemas of the responses. */
interface KnownMembers {
  readonly isMap: boolean
  /** Undefined for values that are no objects. */
  readonly members: ReadonlyMap<string, KnownMembers> | undefined
}

/** A schema as far as members are concerned. */
interface ObjectSchema {
  readonly $ref?: string
  readonly oneOf?: readonly ObjectSchema[]
  readonly items?: ObjectSchema
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly additionalProperties?: ObjectSchema | boolean
}

function readMembers(schema: ObjectSchema): KnownMembers {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) as keyof typeof SCHEMAS
    return readMembers(SCHEMAS[name] as TSchema & ObjectSchema)
  }
  if (schema.oneOf !== undefined) {
    const all = schema.oneOf.flatMap((one) => [...(readMembers(one).members ?? [])])
    return { isMap: false, members: new Map(all) }
  }
  if (schema.items !== undefined) return readMembers(schema.items)
  if (typeof schema.additionalProperties === 'object') {
    return { isMap: true, members: readMembers(schema.additionalProperties).members }
  }
  if (schema.properties === undefined) return { isMap: false, members: undefined }
  const entries = Object.entries(schema.properties).map(([name, inside]) => [name, readMembers(inside)] as const)
  return { isMap: false, members: new Map(entries) }
}

const SHOW_MEMBERS = readMembers(SCHEMAS.Show as TSchema & ObjectSchema)
/** The members of a change, and under `show` those of its show. */
const CHANGE_MEMBERS: KnownMembers = {
  isMap: false,
  members: new Map([...(readMembers(SCHEMAS.Change as TSchema & ObjectSchema).members ?? []), ['show', SHOW_MEMBERS]]),
}

/** Builds the tree of paths, each of which must be known. */
function buildTree(paths: readonly string[], known: KnownMembers): FieldTree {
  const root = { isMap: known.isMap, members: new Map<string, FieldTree>() as Map<string, FieldTree> | undefined }
  for (const path of paths) {
    let at: { isMap: boolean; members: Map<string, FieldTree> | undefined } = root
    let node: KnownMembers | undefined = known
    const segments = path.split('.')
    segments.forEach((segment, i) => {
      node = node?.members?.get(segment)
      if (node === undefined) throw unknownFieldError(path, known)
      // A whole object has all its members already.
      if (at.members === undefined) return
      const isLast = i === segments.length - 1
      const existing = at.members.get(segment) as typeof at | undefined
      const next = existing ?? { isMap: node.isMap, members: new Map<string, FieldTree>() }
      if (isLast) next.members = undefined
      at.members.set(segment, next)
      at = next
    })
  }
  return root
}

function unknownFieldError(path: string, known: KnownMembers): ApiError {
  const all = listPaths(known)
  const last = path.slice(path.lastIndexOf('.') + 1)
  // A member that lies deeper than it was written is near, too.
  const nearest = suggestName(path, all) ?? all.find((one) => one.endsWith(`.${last}`))
  const hint =
    nearest === undefined
      ? `the first are ${[...(known.members ?? [])].map(([name]) => name).join(', ')}`
      : `did you mean ${nearest}?`
  const message = `The parameter "fields" names ${quoteValue(path)}, which answers do not have; ${hint}`
  return new ApiError('invalid_parameter', nearest === undefined ? `${message}.` : message, { parameter: 'fields' })
}

function listPaths({ members }: KnownMembers, prefix = ''): string[] {
  return [...(members ?? [])].flatMap(([name, inside]) => [prefix + name, ...listPaths(inside, `${prefix}${name}.`)])
}
