/** The library measures text on a canvas that it takes from the document; a worker has none. Imported before the library. */
Object.assign(globalThis, { document: { createElement: () => new OffscreenCanvas(1, 1) } })
