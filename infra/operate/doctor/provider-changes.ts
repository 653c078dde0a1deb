import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation'
import { problem, warning, type Finding } from './finding.ts'
import { clientOptions } from './identity.ts'
import type { DoctorInput } from './stacks.ts'

interface DeployedResource {
  readonly Type: string
  readonly Properties?: { readonly ProviderName?: string; readonly ProviderType?: string }
}

/** Finds changes of deployed identity providers that would fail, or lock users out. Google has a separate setting. */
export async function checkProviderChanges({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const authStack = `${config.prefix}-auth`
  if (!(await stacks).some(({ name }) => name === authStack)) return []
  const deployed = await fetchProviders(authStack, region)
  return deployed.flatMap(({ name, type }) => {
    const next = config.identityProviders.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (next === undefined)
      return [
        warning(
          `${name} is removed: its users keep their data, and cannot sign in. Open sessions end within 15 minutes.`,
          `Leave ${name} in identityProviders unless you mean it.`,
        ),
      ]
    if (next.name === name && next.type.toUpperCase() === type) return []
    // names in a user pool are unique, ignoring case
    return [
      problem(
        `${name} (${type}) becomes ${next.name} (${next.type.toUpperCase()}): CloudFormation makes the new provider before it deletes the old one, and Cognito refuses a second one of that name.`,
        'Give it another name. Its users are new users then.',
      ),
    ]
  })
}

async function fetchProviders(StackName: string, region: string): Promise<{ name: string; type: string }[]> {
  const cloudFormation = new CloudFormationClient(clientOptions(region))
  try {
    const { TemplateBody } = await cloudFormation.send(new GetTemplateCommand({ StackName }))
    const { Resources = {} } = JSON.parse(TemplateBody ?? '{}') as {
      Resources?: Record<string, DeployedResource>
    }
    return Object.values(Resources).flatMap(({ Type, Properties: { ProviderName, ProviderType } = {} }) =>
      Type === 'AWS::Cognito::UserPoolIdentityProvider' && ProviderName && ProviderType !== 'Google'
        ? [{ name: ProviderName, type: ProviderType ?? '' }]
        : [],
    )
  } finally {
    cloudFormation.destroy()
  }
}
