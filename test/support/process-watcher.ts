import { subscribe } from 'node:diagnostics_channel'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { setImmediate as nextTick } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { listen } from '../../infra/local/listen.ts'
import { movedDate } from './moved-date.ts'

// Loaded before the product by `--import`, in the product's own process: moves its clock, and reports its resources.

/** The resources of a process, usually after a garbage collection. */
export interface ResourceUse {
  heapBytes: number
  /** of C++ objects outside of the heap, most of them buffers */
  externalBytes: number
  residentBytes: number
  /** open sockets, pipes and timers that keep the process alive, by kind */
  resources: Record<string, number>
  /** files, sockets and pipes; 0 when the system does not report them */
  openDescriptors: number
}

let aheadMs = 0

/** Collects several times: finalizers release more memory for the next collection. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    await nextTick()
  }
}

function countDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

async function measureUse(collectFirst: boolean): Promise<ResourceUse> {
  if (collectFirst) await collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
  return {
    heapBytes: heapUsed,
    externalBytes: external,
    residentBytes: rss,
    resources,
    openDescriptors: countDescriptors(),
  }
}

const addressFile = process.env['WATCHED_ADDRESS_FILE']
if (isMainThread && addressFile !== undefined) {
  globalThis.Date = movedDate(() => aheadMs)
  // Node caches its Date header for a second, and the SDK corrects its clock by it
  subscribe('http.server.request.start', (message) => {
    const { response } = message as { response: ServerResponse }
    response.setHeader('date', new Date().toUTCString())
  })
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    aheadMs += Number(url.searchParams.get('advanceMs') ?? 0)
    // an open connection would count as a resource
    response.setHeader('connection', 'close')
    void measureUse(!url.searchParams.has('skipGc')).then((use) => response.end(JSON.stringify(use)))
  })
  const { url } = await listen(server)
  server.unref()
  writeFileSync(addressFile, url)
}
