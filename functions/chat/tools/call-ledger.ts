import { measure } from '../../platform/telemetry/metrics.ts'
import type { ToolProvider } from '../../tools/tool-provider.ts'
import type { Permission } from './call-results.ts'
import type { PreparedCall, ToolOutcome } from './run-tool.ts'

/** Records the calls of one reply in its user's ledger, beside the reply. */
export class CallLedger {
  readonly #toolProvider: Pick<ToolProvider, 'record'>
  readonly #reply: { sub: string; isSaved: boolean; requestId: string }
  readonly #writes: Promise<void>[] = []

  constructor(
    toolProvider: Pick<ToolProvider, 'record'>,
    reply: { sub: string; isSaved: boolean; requestId: string },
  ) {
    this.#toolProvider = toolProvider
    this.#reply = reply
  }

  /** Records a call that was made or denied; one of an unknown tool is none. */
  record({ tool, input }: PreparedCall, outcome: ToolOutcome, permission: Permission): void {
    if (!tool) return
    const { sub, isSaved, requestId } = this.#reply
    const { success, forModel } = outcome
    if (permission !== 'denied') measure({ FailedToolCalls: success ? 0 : 1 }, { requestId })
    const { error, codes } = outcome.success ? { error: undefined, codes: undefined } : outcome
    const entry = { tool, input, success, error, codes, resultSize: forModel.length, permission }
    this.#writes.push(this.#toolProvider.record(sub, entry, isSaved))
  }

  /** Resolves when every call is in the ledger. */
  async written(): Promise<void> {
    await Promise.all(this.#writes)
  }
}
