import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation'
import type { Config } from '../../aws/config.ts'
import { clientOptions } from '../doctor/identity.ts'
import { fetchStacks, type DeployedStack } from '../doctor/stacks.ts'
import type { DeployedHash } from './release-record.ts'
import { hashTemplate, parseTemplate, type Template } from './templates.ts'

/** A stack with its template. */
export interface DeployedTemplate extends DeployedStack, DeployedHash {
  readonly template: Template
}

/** The stacks of a stage that exist, with their templates, in the order of deployment. */
export async function fetchDeployedTemplates(config: Config, region: string): Promise<DeployedTemplate[]> {
  const stacks = await fetchStacks(config, region)
  return Promise.all(
    stacks.map(async (one) => {
      const client = new CloudFormationClient(clientOptions(one.region))
      const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: one.name }))
      // before the first deployment the template is empty text
      const template = parseTemplate(TemplateBody || '{}')
      return { ...one, id: one.stack.StackId ?? '', template, hash: hashTemplate(template) }
    }),
  )
}
