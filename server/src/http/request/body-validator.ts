import { createRequire } from 'node:module'
import type { BuildCompilerFromPool, ValidatorFactory } from '@fastify/ajv-compiler'
import type { FastifyServerOptions } from 'fastify'

const require = createRequire(import.meta.url)

/** Compiles schemas with Ajv. Apps share it, and with it the schemas that one of them has compiled. */
let ajvCompiler: BuildCompilerFromPool | undefined

/** The compiler that Fastify has itself, but Ajv is loaded and each schema compiled when the first body comes. */
function buildValidator(...compilerOptions: Parameters<BuildCompilerFromPool>) {
  return (...schema: Parameters<ReturnType<BuildCompilerFromPool>>) => {
    let validate: ReturnType<ReturnType<BuildCompilerFromPool>> | undefined
    return (body: unknown) => {
      ajvCompiler ??= require('@fastify/ajv-compiler')() as BuildCompilerFromPool
      validate ??= ajvCompiler(...compilerOptions)(...schema)
      return validate(body) === true || { error: validate.errors }
    }
  }
}

/**
 * How Fastify validates bodies and prints responses. Most processes never get a body, and loading Ajv and compiling all
 * schemas takes a seventh of their start. Responses have no schemas.
 */
export const SCHEMA_COMPILERS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    // Validators may return their error, which the type does not say.
    buildValidator: buildValidator as unknown as ValidatorFactory,
    buildSerializer: () => () => JSON.stringify,
  },
}
