import { JSDOM } from 'jsdom'

/*
 * A document for React in a test file that runs in Node: import it first. Node's own `fetch` and streams stay, which jsdom's environment
 * of vitest replaces, and so do the paths of files. Updates come from streams, outside of `act`.
 */
const { window } = new JSDOM('<!doctype html>', { url: 'http://127.0.0.1/' })
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: false })
