import { expect, it, vi } from 'vitest'
import { documentSentences } from '#shared/sentences/documents.ts'
import { faultKinds, faultKindsFor } from '../support/call-interceptor.ts'
import { runFaults } from '../support/faults.ts'

it(
  'a parser that is down, slow or cut off is reported in plain words, nothing is lost, and a retry reads the document',
  { tags: 'long' },
  async () => {
    // the handlers run in this process, and log each error
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const refusals = new Map<string, string | undefined>()
    const report = await runFaults({
      isSelected: (path) => path === 'reading a document',
      // the invocation of the parser, and the parser's own fetch
      getFaultKinds: (call) => (/^(?:lambda|s3 GET)/.test(call) ? faultKindsFor(call) : []),
      onFault: ({ call, kind }, _, refusal) => refusals.set(`${call.split(' ')[0]} ${kind}`, refusal),
    })
    expect(report.findings).toEqual([])
    expect([...refusals.keys()].toSorted()).toEqual(
      [
        ...faultKinds.map((kind) => `lambda ${kind}`),
        ...['every-try-refused', 'delayed', 'service-down'].map((kind) => `s3 ${kind}`),
      ].toSorted(),
    )
    for (const fault of [
      'lambda service-down',
      'lambda every-response-lost',
      'lambda every-try-refused',
      's3 service-down',
    ])
      expect([fault, refusals.get(fault)]).toEqual([
        fault,
        expect.stringContaining(documentSentences.unavailable),
      ])
    // an outage during one attempt is not noticed
    for (const fault of [
      'lambda request-lost',
      'lambda response-lost',
      'lambda delayed',
      's3 every-try-refused',
      's3 delayed',
    ])
      expect([fault, refusals.get(fault)]).toEqual([fault, undefined])
  },
)
