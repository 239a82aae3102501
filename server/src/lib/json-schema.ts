/*
 * JSON Schema with the TypeScript type of the values: `Static<typeof schema>`. It has just what the API describes itself
 * with. The libraries for this load hundreds of modules, which took a third of the start of every process.
 */

/** A schema. The type of its values is that of `~static`, which no schema really has. */
export interface TSchema {
  readonly '~static'?: unknown
}

/** A schema of values of a type. */
interface TTyped<T> extends TSchema {
  readonly '~static'?: T
}

/** A schema of a property that may be absent. */
export type TOptional<S extends TSchema> = S & { readonly '~optional': true }

/** The schemas of an object's properties. */
export type TProperties = Readonly<Record<string, TSchema>>

export interface TObject<P extends TProperties = TProperties> extends TTyped<StaticObject<P>> {
  readonly properties: P
  readonly required?: readonly string[]
}

/** The type of the values that a schema describes. */
export type Static<S extends TSchema> = S extends { readonly '~static'?: infer T } ? T : never

type OptionalKeys<P extends TProperties> = { [K in keyof P]: P[K] extends TOptional<TSchema> ? K : never }[keyof P]

type StaticObject<P extends TProperties> = { [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & {
  [K in OptionalKeys<P>]?: Static<P[K]>
}

type Options = Readonly<Record<string, unknown>>

/** Builds schemas. Options are further keywords of JSON Schema, and come after the keywords of the type. */
const Type = {
  String: (options?: Options): TTyped<string> => typed({ type: 'string', ...options }),

  Integer: (options?: Options): TTyped<number> => typed({ type: 'integer', ...options }),

  Number: (options?: Options): TTyped<number> => typed({ type: 'number', ...options }),

  Boolean: (options?: Options): TTyped<boolean> => typed({ type: 'boolean', ...options }),

  /** A constant text. */
  Literal: <const T extends string>(value: T, options?: Options): TTyped<T> =>
    typed({ type: 'string', const: value, ...options }),

  /** One of some texts. */
  Enum: <const T extends readonly string[]>(values: T, options?: Options): TTyped<T[number]> =>
    typed({ enum: values, ...options }),

  Array: <S extends TSchema>(items: S, options?: Options): TTyped<Static<S>[]> =>
    typed({ type: 'array', items, ...options }),

  /** Any of some schemas. */
  Union: <S extends readonly TSchema[]>(anyOf: readonly [...S]): TTyped<Static<S[number]>> => typed({ anyOf }),

  /** An object. All properties that are not optional are required. */
  Object: <P extends TProperties>(properties: P, options?: Options): TObject<P> => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name] as TSchema))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options } as TObject<P>
  },

  /** Marks the schema of a property that may be absent. */
  Optional: <S extends TSchema>(schema: S): TOptional<S> =>
    // Not enumerable, so that it is no keyword.
    Object.defineProperty({ ...schema }, '~optional', { value: true }) as TOptional<S>,

  /** A schema as it is written, of values of any type. */
  Unsafe: (schema: Options): TSchema => typed(schema),
}

export default Type

function typed<T>(schema: Options): TTyped<T> {
  return schema as TTyped<T>
}

function isOptional(schema: TSchema): boolean {
  return '~optional' in schema
}
