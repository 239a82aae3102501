import type { Plugin } from 'vite'

/** Builds for production whatever `NODE_ENV` is in the shell: JSX of development needs modules that a build does not have. */
export const buildForProduction: Plugin = {
  name: 'build-for-production',
  config(_config, { command }) {
    if (command === 'build') process.env.NODE_ENV = 'production'
  },
}
