import type { Page, Request } from 'playwright-core'
import { waitLimitMs } from './time-limits.ts'

interface Requests {
  readonly open: Set<Request>
  started: number
  onEnd(): void
}

const requestsOfPages = new WeakMap<Page, Requests>()

/** From here on `settled` knows which requests of the page are open. */
export function noteRequests(page: Page): void {
  const requests: Requests = { open: new Set(), started: 0, onEnd: () => undefined }
  requestsOfPages.set(page, requests)
  const end = (request: Request) => {
    requests.open.delete(request)
    requests.onEnd()
  }
  page.on('request', (request) => {
    requests.open.add(request)
    requests.started += 1
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

/**
 * Waits until the page shows all that it loads: no request is open, and what it does in a frame or when it is idle makes none. What a test
 * holds back, and a reply that streams, has to end first.
 * @throws Error with the addresses of requests that do not end
 */
export async function settled(page: Page): Promise<void> {
  const requests = requestsOfPages.get(page)
  if (!requests) throw new Error('the requests of this page were not noted')
  for (;;) {
    while (requests.open.size > 0) await waitForEnd(requests)
    const { started } = requests
    await page.evaluate(
      () =>
        new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve(undefined)))),
    )
    if (requests.started === started) return
  }
}

function waitForEnd(requests: Requests): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      const addresses = [...requests.open].map((request) => request.url())
      reject(new Error(`Requests have not ended after ${waitLimitMs} ms: ${addresses.join(', ')}`))
    }, waitLimitMs)
    requests.onEnd = () => {
      clearTimeout(limit)
      resolve()
    }
  })
}
