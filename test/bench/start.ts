import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureWebBuild } from '../../infra/local/web-build.ts'
import { projectRoot } from '../../infra/local/settings.ts'
import { median, percentile, type Bench } from './figures.ts'

const budgetSeconds = 5
const starts = 7

/** Runs `npm start` until it is ready, then stops it. @returns seconds */
async function startOnce(dataDir: string): Promise<number> {
  const startedAt = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: projectRoot,
    // npm and the product form one process group, which is stopped as a whole
    detached: true,
    env: {
      ...process.env,
      PORT: '0',
      LOCAL_DATA_DIR: dataDir,
      // the daily sync must not leave this machine
      GITHUB_API_URL: 'http://127.0.0.1:9',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  try {
    let output = ''
    for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      output += text
      if (/^Ready http/m.test(output)) return (performance.now() - startedAt) / 1_000
    }
    throw new Error(`npm start ended without being ready: ${output}`)
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await exit
  }
}

const summary = (seconds: number[]) =>
  [0, 0.5, 1].map((share) => percentile(seconds, share).toFixed(2)).join(' / ')

export const localStartBench: Bench = {
  name: 'start',
  title: 'Start',
  async run() {
    await ensureWebBuild()
    const folder = await mkdtemp(join(tmpdir(), 'juno-start-'))
    try {
      const first = await startOnce(join(folder, 'data'))
      const again: number[] = []
      for (let run = 0; run < starts; run += 1) again.push(await startOnce(join(folder, 'data')))
      return [
        {
          what: `npm start to Ready, least / median / most of ${starts}, seconds`,
          measured: summary(again),
          budget: `< ${budgetSeconds} s`,
          met: median(again) < budgetSeconds,
        },
        { what: 'The very first start, with an empty data folder, seconds', measured: first.toFixed(2) },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
