import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'

/**
 * Set-up of the component tests: React's act environment, a clean document after each test, the browser features jsdom
 * lacks, and the rule that a console error is a red test.
 */

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean | undefined
}

class NoResizes implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** A media query that never matches: light scheme, no reduced motion, fine pointer. */
function noMatch(media: string): MediaQueryList {
  return Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener() {},
    removeListener() {},
  }) as MediaQueryList
}

/** Grants locks of the same name one after another, like the browser's exclusive locks. */
const lastByName = new Map<string, Promise<unknown>>()
const locks = {
  request<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (lastByName.get(name) ?? Promise.resolve()).then(work)
    lastByName.set(
      name,
      result.catch(() => undefined),
    )
    return result
  },
}

/** Without the top layer and the focus handling, which only browsers have. */
function showModal(this: HTMLDialogElement): void {
  if (!this.isConnected) throw new DOMException('The element is not in a document.', 'InvalidStateError')
  this.open = true
}

const missing: [object, string, unknown][] = [
  [window, 'matchMedia', noMatch],
  [window, 'ResizeObserver', NoResizes],
  [HTMLDialogElement.prototype, 'showModal', showModal],
  [Element.prototype, 'scrollIntoView', () => undefined],
  [Element.prototype, 'scrollTo', () => undefined],
  [Element.prototype, 'hasPointerCapture', () => false],
  [Element.prototype, 'setPointerCapture', () => undefined],
  [Element.prototype, 'releasePointerCapture', () => undefined],
]
if (!('locks' in navigator)) Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
for (const [target, name, value] of missing)
  if (typeof Reflect.get(target, name) !== 'function')
    Object.defineProperty(target, name, { value, configurable: true, writable: true })

// `findBy` and `waitFor` wait for code that is loaded when it is needed; on a busy machine that takes more than a second
configure({ asyncUtilTimeout: 10_000 })

beforeAll(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
})
afterAll(async () => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false
  // code that a test has begun to load would arrive in the next file of the worker, where React complains of it
  await vi.dynamicImportSettled()
})

let errors: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  errors = vi.spyOn(console, 'error')
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  // A test that expects console errors replaces the spy's implementation and clears its calls (mockClear) when it has checked them.
  expect(errors.mock.calls, 'console.error was called').toEqual([])
})
