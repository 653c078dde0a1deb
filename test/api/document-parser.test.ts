import { expect, it, vi } from 'vitest'
import { documentSentences } from '#shared/sentences/documents.ts'
import { faultKindsFor, type FaultKind } from '../support/call-interceptor.ts'
import { runFaults } from '../support/faults.ts'

const unreachable = 'Files cannot be reached right now. Please try again in a moment.'

it(
  'a reader or parser that is down, slow or cut off is told in plain words, nothing is lost, and a retry reads the document',
  { tags: 'trial' },
  async () => {
    // the handlers run in this process, and log each error
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const refusals: { call: string; kind: FaultKind; refusal: string | undefined }[] = []
    const report = await runFaults({
      isSelected: (path) => path === 'reading a document',
      // the invocations of reader and parser, and what is fetched
      getFaultKinds: (call) => (/^(?:lambda|s3 GET)/.test(call) ? faultKindsFor(call) : []),
      onFault: ({ call, kind }, _, refusal) => refusals.push({ call, kind, refusal }),
    })
    expect(report.findings).toEqual([])
    const find = (part: RegExp, kinds: readonly FaultKind[]) =>
      refusals.filter(({ call, kind }) => part.test(call) && kinds.includes(kind))
    // the document is read in the background: while a part of that is down, it is not read yet
    const outages = [
      ...find(/document-reader\S* #1/, ['service-down']),
      ...find(/document-parser\S* #1/, ['service-down']),
      ...find(/original #1/, ['service-down']),
    ]
    const stillReading = expect.stringContaining(documentSentences.still_reading) as string
    expect(outages.map(({ refusal }) => refusal)).toEqual(Array.from({ length: 3 }, () => stillReading))
    // when the question comes after the failure it begins a second reading, which calls the parser again
    const failedCalls = find(/document-parser\S* #1/, ['every-response-lost', 'every-try-refused'])
    expect(failedCalls).toHaveLength(2)
    const refusalsOfCalls = failedCalls.flatMap(({ refusal }) => refusal ?? [])
    expect(refusalsOfCalls).toEqual(refusalsOfCalls.map(() => stillReading))
    const textOutages = find(/\/(?:text|incoming\S*) #1/, ['service-down', 'every-try-refused'])
    expect(textOutages.map(({ refusal }) => refusal)).toEqual(
      Array.from({ length: 4 }, () => expect.stringContaining(unreachable) as string),
    )
    // a fault of one attempt is not noticed
    const brief = find(/./, ['request-lost', 'response-lost', 'response-cut', 'delayed'])
    expect(brief.length).toBeGreaterThan(12)
    expect(brief.filter(({ refusal }) => refusal !== undefined)).toEqual([])
  },
)
