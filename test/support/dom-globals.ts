import { JSDOM } from 'jsdom'
import { afterAll } from 'vitest'

/*
 * A document for React in a test file that runs in Node: import it first. Node's own `fetch` and streams stay, which jsdom's environment
 * of vitest replaces, and so do the paths of files. Updates come from streams, outside of `act`.
 */
const { window } = new JSDOM('<!doctype html>', { url: 'http://127.0.0.1/' })
const globals = { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: false }
Object.assign(globalThis, globals)
// other files of the worker run without a document
afterAll(() => {
  for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
})
