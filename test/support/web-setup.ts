import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { act, cleanup, configure, getConfig } from '@testing-library/react'
import * as react from 'react'
import { toast } from 'sonner'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { makeLate } from './late-waits.ts'
import { rememberPageObjects, restorePageObjects } from './page-objects.ts'
import { findWaitLimitMs } from './time-limits.ts'

/**
 * Set-up of the component tests: a clean document after each test, the browser features jsdom lacks, and the rule that a console error
 * is a red test. Testing Library turns React's act environment on while it renders or fires an event; outside of that it stays off, as
 * React would write an error for each update that comes while a test waits for something else, which depends on how fast the machine is.
 */

class NoResizes implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

class NoIntersections implements IntersectionObserver {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = []
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords = () => []
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
  [window, 'IntersectionObserver', NoIntersections],
  [HTMLDialogElement.prototype, 'showModal', showModal],
  [Element.prototype, 'checkVisibility', () => true],
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
rememberPageObjects()

/*
 * When the focus has changed, jsdom starts an interval for its next frame. One that starts while a test fakes timers never fires, and no
 * frame of the window would come after it, in other files of the worker either.
 */
const real = { setInterval, clearInterval }

function withRealIntervals(work: () => void): void {
  const { setInterval: fakedSet, clearInterval: fakedClear } = globalThis
  Object.assign(globalThis, real)
  try {
    work()
  } finally {
    Object.assign(globalThis, { setInterval: fakedSet, clearInterval: fakedClear })
  }
}

interface JsdomWindow {
  _requestFocusFixup: (() => void) & { hasRealIntervals?: true }
}
const { window: jsdomWindow } = Reflect.get(globalThis, 'jsdom') as { window: JsdomWindow }
const requestFocusFixup = jsdomWindow._requestFocusFixup
if (!requestFocusFixup.hasRealIntervals)
  jsdomWindow._requestFocusFixup = Object.assign(
    () => (setInterval === real.setInterval ? requestFocusFixup() : withRealIntervals(requestFocusFixup)),
    { hasRealIntervals: true as const },
  )

// `findBy` and `waitFor` wait for code that is loaded when it is needed; on a busy machine that takes more than a second
const config = getConfig()
// each file of a worker runs its set-up
if (config.asyncWrapper.name !== 'wrapLate') {
  const wrap = config.asyncWrapper.bind(config)
  const wrapLate: typeof wrap = (wait) => {
    configure({ asyncUtilTimeout: findWaitLimitMs() })
    return wrap(makeLate(wait))
  }
  configure({ asyncWrapper: wrapLate })
}

// React takes a stack trace of each element, for warnings, until it has taken 10,000: a fifth of the time of the component tests
const internals: unknown = Reflect.get(
  react,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
if (internals instanceof Object)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Infinity,
    set() {},
    configurable: true,
  })

beforeAll(async () => {
  // React stays with the timers of the first one, which no test may have faked
  await act(async () => undefined)
})
afterAll(async () => {
  // code that a test has begun to load would arrive in the next file of the worker, where React complains of it
  await vi.dynamicImportSettled()
  // or the first test of the next file takes back what that file has set
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  restorePageObjects()
})

/** The clients of a test that have resources of their user. */
const clients = new Set<QueryClient>()

vi.mock('../../web/src/lib/actions/user-resources.ts', async (importActual) => {
  const actual = await importActual<typeof import('../../web/src/lib/actions/user-resources.ts')>()
  const getUserResource: typeof actual.getUserResource = (client, ...rest) => {
    clients.add(client)
    return actual.getUserResource(client, ...rest)
  }
  const useUserResource: typeof actual.useUserResource = (...rest) =>
    getUserResource(useQueryClient(), ...rest)
  return { ...actual, getUserResource, useUserResource }
})

let errors: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  // of what an earlier test has left running
  toast.dismiss()
  errors = vi.spyOn(console, 'error')
})

afterEach(async () => {
  cleanup()
  // Sonner shows what it was told before in the next toaster of the worker
  toast.dismiss()
  // what a test has put beside its page would be found by the next one
  document.body.replaceChildren()
  // what a test has postponed would begin when a later one leaves its page
  const { closeUserResources } = await import('../../web/src/lib/actions/user-resources.ts')
  for (const client of clients) closeUserResources(client)
  clients.clear()
  // what a test has typed would be in the fields of the next one, and keep its page from being reloaded
  const { removeInputs } = await import('../../web/src/lib/input/inputs.ts')
  removeInputs()
  localStorage.clear()
  sessionStorage.clear()
  // A test that expects console errors replaces the spy's implementation and clears its calls (mockClear) when it has checked them.
  expect(errors.mock.calls, 'console.error was called').toEqual([])
})
