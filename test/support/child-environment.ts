/**
 * What a process that tests start has of the environment, unless it is given more: nothing that belongs to whoever runs the
 * tests, but the cache of compiled modules, with which it starts sooner.
 */
export const childEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
