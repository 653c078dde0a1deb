import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

// A thread that ends its process: neither a statement of SQLite nor a reader that loops can be ended from its own thread.

export interface ProcessLimits {
  /** of the processor, all threads of the process together */
  timeMs: number
  maxRss: number
}

const watchMs = 20
const { timeMs, maxRss } = workerData as ProcessLimits
const startUsage = process.cpuUsage()
const parent = process.ppid

function check(): void {
  const { user, system } = process.cpuUsage(startUsage)
  const reason =
    (user + system) / 1_000 >= timeMs ? 'time' : process.memoryUsage.rss() > maxRss ? 'memory' : undefined
  // another process takes over the children of one that was killed
  if (reason === undefined && process.ppid === parent) return
  writeSync(2, reason ?? 'parent')
  process.kill(process.pid, 'SIGKILL')
}

check()
setInterval(check, watchMs)
parentPort?.postMessage('watching')
