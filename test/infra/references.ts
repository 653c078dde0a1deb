import type { StackName, Synthesised } from './synthesised.ts'

/** What a stack exports to others, and imports from them. */
interface References {
  readonly stackName: string
  /** value by export name */
  readonly exports: Readonly<Record<string, unknown>>
  readonly imports: readonly string[]
  readonly outputs: readonly string[]
  /** `stack.output`, read at deployment, without blocking its removal */
  readonly readsOutputs: readonly string[]
}

/** In the order of `cdk deploy --all`. */
export const deployOrder = ['data', 'auth', 'api', 'edge', 'web'] as const satisfies readonly StackName[]

export type ReferencesByStack = Partial<Readonly<Record<StackName, References>>>

interface Output {
  readonly Value: unknown
  readonly Export?: { readonly Name: string }
}

export function collectReferences({ stacks, templates }: Synthesised): ReferencesByStack {
  const found = deployOrder.flatMap((stack) => {
    const stackName = stacks[stack]?.stackName
    // only some configurations have an edge stack
    if (stackName === undefined) return []
    const template = templates[stack].toJSON()
    const outputs = (template['Outputs'] ?? {}) as Record<string, Output>
    const { imports, readsOutputs } = findReads(template)
    const references: References = {
      stackName,
      exports: Object.fromEntries(
        Object.values(outputs).flatMap(({ Value, Export }) => (Export ? [[Export.Name, Value]] : [])),
      ),
      imports: [...new Set(imports)].toSorted(),
      outputs: Object.keys(outputs).filter((id) => !id.startsWith('ExportsOutput')),
      readsOutputs: [...new Set(readsOutputs)].toSorted(),
    }
    return [[stack, references] as const]
  })
  return Object.fromEntries(found)
}

function findReads(value: unknown): { imports: string[]; readsOutputs: string[] } {
  if (typeof value !== 'object' || value === null) return { imports: [], readsOutputs: [] }
  const inner = Object.values(value).map(findReads)
  const own = value as {
    'Fn::ImportValue'?: string
    'Fn::GetStackOutput'?: { StackName: string; OutputName: string }
  }
  const { 'Fn::ImportValue': name, 'Fn::GetStackOutput': output } = own
  return {
    imports: [...(name === undefined ? [] : [name]), ...inner.flatMap(({ imports }) => imports)],
    readsOutputs: [
      ...(output === undefined ? [] : [`${output.StackName}.${output.OutputName}`]),
      ...inner.flatMap(({ readsOutputs }) => readsOutputs),
    ],
  }
}

/**
 * What CloudFormation refuses when a stage changes from one configuration to another by `deploy --all`. An export that another stack
 * imports can be neither removed nor changed, and what a stack reads has to exist by then.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-importvalue.html
 */
export function findRefusals(before: ReferencesByStack, after: ReferencesByStack): string[] {
  const deployed: Partial<Record<StackName, References>> = { ...before }
  const refusals: string[] = []
  for (const stack of deployOrder) {
    const next = after[stack]
    // a stack that the configuration no longer has is unchanged
    if (!next) continue
    const others = Object.values(deployed).filter(({ stackName }) => stackName !== next.stackName)
    for (const [name, value] of Object.entries(deployed[stack]?.exports ?? {})) {
      const importer = others.find(({ imports }) => imports.includes(name))
      if (importer && JSON.stringify(next.exports[name]) !== JSON.stringify(value))
        refusals.push(`${next.stackName}: ${name} is in use by ${importer.stackName}`)
    }
    for (const name of next.imports)
      if (!others.some(({ exports }) => name in exports))
        refusals.push(`${next.stackName}: nothing is exported as ${name}`)
    for (const read of next.readsOutputs)
      if (
        !others.some(({ stackName, outputs }) => outputs.some((output) => `${stackName}.${output}` === read))
      )
        refusals.push(`${next.stackName}: there is no output ${read}`)
    deployed[stack] = next
  }
  return refusals
}
