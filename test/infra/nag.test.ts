import { App, Stack, Validations } from 'aws-cdk-lib'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { AwsSolutionsChecks, type IApplyRule } from 'cdk-nag'
import type { IConstruct } from 'constructs'
import { describe, expect, it } from 'vitest'
import { configurations } from './configurations.ts'
import { synthesiseApp, temporaryFolder } from './synthesised.ts'

/** Records the rules' findings, acknowledged or not. */
class FindingRecorder extends AwsSolutionsChecks {
  readonly findings: { path: string; id: string }[] = []

  protected override applyRule(rule: IApplyRule) {
    const id = `${this.packName}-${rule.ruleSuffixOverride ?? rule.rule.name}`
    const result: unknown = rule.rule(rule.node)
    const { path } = rule.node.node
    if (result === 'Non-Compliant') this.findings.push({ path, id })
    else if (Array.isArray(result))
      for (const finding of result) this.findings.push({ path, id: `${id}[${finding}]` })
  }
}

interface Acknowledgement {
  readonly construct: IConstruct
  readonly id: string
  readonly reason: string
}

function listAcknowledgements(root: IConstruct): Acknowledgement[] {
  return root.node.findAll().flatMap((construct) =>
    construct.node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      // the CDK records its own warnings in the same way
      .filter(([id]) => id.includes('AwsSolutions-'))
      .map(([id, reason]) => ({ construct, id: id.replace(/^annotation::/i, ''), reason })),
  )
}

/** The findings in a tree that no acknowledgement explains, one line for each resource. */
function listUnexplained(root: IConstruct): string[] {
  const { violations } = new AwsSolutionsChecks(root).validateScope(root)
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
  )
}

const roots = Object.entries(configurations).map(([name, context]) => [name, synthesiseApp(context)] as const)

describe('AwsSolutions', () => {
  it.each(roots)('INFRA-18 has no finding without an explanation: %s', (_, root) => {
    expect(listUnexplained(root)).toEqual([])
  })

  it.each(roots)('INFRA-18 every explanation belongs to a finding: %s', (_, root) => {
    const recorder = new FindingRecorder(root)
    recorder.validateScope(root)
    const acknowledgements = listAcknowledgements(root)
    expect(acknowledgements.length).toBeGreaterThan(20)
    const unused = acknowledgements.filter(
      ({ construct, id }) =>
        !recorder.findings.some(
          (finding) => finding.id === id && `${finding.path}/`.startsWith(`${construct.node.path}/`),
        ),
    )
    expect(unused.map(({ construct, id }) => `${id} ${construct.node.path}`)).toEqual([])
  })

  it.each(roots)('INFRA-18 explains single constructs, never a stack, in whole sentences: %s', (_, root) => {
    const acknowledgements = listAcknowledgements(root)
    expect(
      acknowledgements.filter(({ construct }) => construct === root || Stack.isStack(construct)),
    ).toEqual([])
    expect(
      acknowledgements.map(({ reason }) => reason).filter((reason) => !/^[A-Z].{40,}\.$/.test(reason)),
    ).toEqual([])
    expect(
      acknowledgements
        .map(({ id }) => id)
        .filter((id) => id.startsWith('AwsSolutions-IAM') && !id.includes('[')),
    ).toEqual([])
  })

  it('INFRA-18 the rules find a fault: a bucket that accepts plain http, also as a synthesis plugin', () => {
    const app = new App({ outdir: temporaryFolder(), builtinCloudFormationValidation: false })
    const stack = new Stack(app, 'bare')
    new Bucket(stack, 'Bucket')
    expect(listUnexplained(app)).toEqual([
      'AwsSolutions-S1 bare/Bucket/Resource',
      'AwsSolutions-S10 bare/Bucket/Resource',
    ])
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
    expect(() => app.synth()).toThrow(/[Vv]alidation/)
  })
})
