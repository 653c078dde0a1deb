import { setTimeout as wait } from 'node:timers/promises'
import { probeServer } from '../../functions/mcp/probe.ts'
import { outboundHttp } from '../../functions/platform/net/outbound-http.ts'
import { mayBeDone } from '../../functions/providers/may-be-done.ts'
import { aServerConnection, openMcpServers } from '../support/server-connection.ts'
import { openTestTable } from '../support/table.ts'
import { judgeSignIn } from './mcp-sign-in.ts'
import { openServers, type JudgeServer } from './mcp-servers.ts'
import type { Report } from './report.ts'

const stepMs = 60_000

/**
 * Runs what the product does with a remote MCP server against servers that others wrote: connect, list, call, a write during which the
 * server dies, and a call after its restart.
 * @param wanted names of servers; all without one
 */
export async function judge(report: Report, wanted: readonly string[]): Promise<void> {
  const table = await openTestTable()
  try {
    for (const [id, open] of Object.entries(openServers)) {
      if (wanted.length > 0 && !wanted.includes(id)) continue
      const server = await open()
      if ('missing' in server) {
        report.skip(server.name, server.missing)
        continue
      }
      try {
        await server.start()
        if (id.endsWith('-oauth')) await judgeSignIn((what, work) => runStep(report, what, work), server)
        else await judgeServer(report, server, table)
      } catch (error) {
        report.fail(server.name, describe(error))
      } finally {
        server.kill()
      }
    }
  } finally {
    await table.close()
  }
}

const describe = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ')

/** Runs a step. @param work returns what is wrong */
async function runStep(report: Report, what: string, work: () => Promise<string | undefined>): Promise<void> {
  const problem = await Promise.race([
    work().catch(describe),
    wait(stepMs, `no end after ${stepMs / 1_000} s`, { ref: false }),
  ])
  if (problem === undefined) report.pass(what)
  else report.fail(what, problem.slice(0, 400))
}

async function judgeServer(
  report: Report,
  server: JudgeServer,
  table: Awaited<ReturnType<typeof openTestTable>>,
): Promise<void> {
  const { name, url, host, reading, writing } = server
  let sentCalls = 0
  const http = outboundHttp({ allow: [host], timeoutMs: 75_000 })
  const counting: Pick<typeof http, 'fetch' | 'check'> = {
    check: http.check,
    fetch(input, init) {
      if (typeof init?.body === 'string' && init.body.includes('"tools/call"')) sentCalls += 1
      return http.fetch(input, init)
    },
  }
  const servers = openMcpServers(counting, table)
  const connection = aServerConnection(url, { integration: { mcpId: crypto.randomUUID(), name } })
  const call = async ({ tool, input }: JudgeServer['writing']) => {
    const { tools } = await servers.listTools(connection)
    const found = tools.find(({ title }) => title === tool) ?? tools.find((one) => one.name.includes(tool))
    if (!found) throw new Error(`it has no tool ${tool}, but ${tools.map((one) => one.name).join(', ')}`)
    return found.run({ ...input }, AbortSignal.timeout(stepMs))
  }
  const read = async () => {
    const result = JSON.stringify(await call(reading))
    return result === reading.result ? undefined : `${reading.tool} gave ${result}`
  }
  try {
    await runStep(report, `${name}: connects`, async () => {
      const probe = await probeServer(http, url, {})
      return 'challenge' in probe ? 'it demands a sign-in' : undefined
    })
    await runStep(report, `${name}: lists its tools`, async () => {
      const { leftOut } = await servers.listTools(connection)
      return leftOut.length > 0 ? leftOut.map(({ text }) => text).join('; ') : undefined
    })
    await runStep(report, `${name}: is called`, read)
    await runStep(
      report,
      `${name}: a write during which it dies may have been done, and is not repeated`,
      async () => {
        sentCalls = 0
        const outcome = call(writing).then(
          (result) => `it gave ${JSON.stringify(result)}`,
          (error: unknown) => (describe(error).endsWith(mayBeDone.text) ? undefined : describe(error)),
        )
        // the servers have begun it by then; they do not say when
        await wait(1_500)
        server.kill()
        const problem = await outcome
        if (problem !== undefined) return problem
        const writes = server.countWrites?.() ?? sentCalls
        return writes === 1 && sentCalls === 1
          ? undefined
          : `it was done ${writes} times, sent ${sentCalls} times`
      },
    )
    await runStep(report, `${name}: is called after its restart`, async () => {
      await server.start()
      return read()
    })
  } finally {
    await servers.close()
    await http.close()
  }
}
