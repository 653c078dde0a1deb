import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  UpdateStackCommand,
  type StackEvent,
  type StackStatus,
  type UpdateStackCommandInput,
} from '@aws-sdk/client-cloudformation'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  type GetObjectCommandOutput,
} from '@aws-sdk/client-s3'
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingStack } from './missing-stack.ts'
import { mockClient } from './mock-client.ts'

interface FakeStack {
  id: string
  status: StackStatus
  template: string
  parameters: Record<string, string>
}

export const fakeAccountId = '123456789012'
export const fakeRegion = 'eu-west-1'
export const uploads = 'juno-dev-data-uploads'
export const bootstrap = `cdk-hnb659fds-assets-${fakeAccountId}-${fakeRegion}`

const refuse = (message: string, name = 'ValidationError') =>
  new CloudFormationServiceException({ name, message, $fault: 'client', $metadata: {} })

/**
 * The stacks and objects of an account, behind doubles of the SDK's clients that know nothing else: an unexpected call fails. Updates
 * behave as CloudFormation's: only from states that allow it, not without a change, and never of an export that another stack imports.
 */
export function fakeStacks() {
  const sts = mockClient(STSClient)
  const cloudFormation = mockClient(CloudFormationClient)
  const s3 = mockClient(S3Client)
  const stacks = new Map<string, FakeStack>()
  const objects = new Map<string, string>()
  const updates: UpdateStackCommandInput[] = []
  const events: StackEvent[] = []
  /** the status in which the next update of a stack ends */
  const failures = new Map<string, StackStatus>()
  /** stacks that have the next template already, so that their update is refused */
  const unchanged = new Set<string>()

  const find = (name = '') => {
    const stack = stacks.get(name)
    if (!stack) throw missingStack(name)
    return stack
  }
  const parse = (text: string) =>
    JSON.parse(text) as { Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }> }
  const listOutputs = (text: string) =>
    Object.entries(parse(text).Outputs ?? {}).map(([OutputKey, { Value, Export }]) => ({
      OutputKey,
      OutputValue: String(Value),
      ...(Export && { ExportName: Export.Name }),
    }))
  const findExports = (text: string) => listOutputs(text).flatMap(({ ExportName }) => ExportName ?? [])
  const findImports = (text: string) =>
    [...text.matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name = '']) => name)

  function update(input: UpdateStackCommandInput) {
    const stack = find(input.StackName)
    updates.push(input)
    if (!['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'].includes(stack.status))
      throw refuse(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`)
    const key = input.TemplateURL?.replace(`https://s3.${fakeRegion}.amazonaws.com/`, '') ?? ''
    const template = objects.get(key)
    if (template === undefined) throw refuse('S3 error: Access Denied')
    if (unchanged.delete(input.StackName ?? '')) stack.template = template
    if (template === stack.template) throw refuse('No updates are to be performed.')
    const others = [...stacks].filter(([name]) => name !== input.StackName).map(([, one]) => one.template)
    const used = findExports(stack.template)
      .filter((name) => !findExports(template).includes(name))
      .find((name) => others.some((one) => findImports(one).includes(name)))
    const unknown = findImports(template).find(
      (name) => !others.some((one) => findExports(one).includes(name)),
    )
    const reason = used
      ? `Cannot delete export ${used} as it is in use by another stack.`
      : unknown && `No export named ${unknown} found.`
    const failure = reason ? 'UPDATE_ROLLBACK_COMPLETE' : failures.get(input.StackName ?? '')
    failures.delete(input.StackName ?? '')
    stack.status = failure ?? 'UPDATE_COMPLETE'
    if (failure)
      events.unshift({
        StackId: stack.id,
        EventId: String(events.length),
        StackName: input.StackName ?? '',
        LogicalResourceId: 'Chat',
        ResourceType: 'AWS::Lambda::Function',
        ResourceStatus: 'UPDATE_FAILED',
        ResourceStatusReason: reason ?? 'The function is broken.',
        Timestamp: new Date(),
      })
    else stack.template = template
    return { StackId: stack.id }
  }

  function install() {
    const unexpected = new Error('unexpected call')
    sts.reset().onAnyCommand().rejects(unexpected)
    cloudFormation.reset().onAnyCommand().rejects(unexpected)
    s3.reset().onAnyCommand().rejects(unexpected)
    sts
      .on(GetCallerIdentityCommand)
      .resolves({ Account: fakeAccountId, Arn: `arn:aws:iam::${fakeAccountId}:user/ann` })
      .on(AssumeRoleCommand)
      .resolves({
        Credentials: { AccessKeyId: 'role', SecretAccessKey: 's', SessionToken: 't', Expiration: new Date() },
      })
    cloudFormation
      .on(DescribeStacksCommand)
      .callsFake(({ StackName }: { StackName: string }) => {
        const { id, status, template, parameters } = find(StackName)
        const Parameters = Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
          ParameterKey,
          ParameterValue,
        }))
        return {
          Stacks: [
            { StackName, StackId: id, StackStatus: status, Parameters, Outputs: listOutputs(template) },
          ],
        }
      })
      .on(GetTemplateCommand)
      .callsFake(({ StackName }: { StackName: string }) => ({
        // as CloudFormation answers: https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/814
        TemplateBody: find(StackName).template.replaceAll(/[\u{80}-\u{10ffff}]/gu, '?'),
      }))
      .on(DescribeStackEventsCommand)
      .callsFake(({ StackName }: { StackName: string }) => ({
        StackEvents: events.filter((event) => event.StackName === StackName),
      }))
      .on(UpdateStackCommand)
      .callsFake(update)
    const path = ({ Bucket, Key }: { Bucket: string; Key: string }) => `${Bucket}/${Key}`
    s3.on(ListObjectsV2Command)
      .callsFake(({ Bucket, Prefix }: { Bucket: string; Prefix: string }) => ({
        Contents: [...objects.keys()]
          .filter((key) => key.startsWith(`${Bucket}/${Prefix}`))
          .map((key) => ({ Key: key.slice(Bucket.length + 1) })),
      }))
      .on(GetObjectCommand)
      .callsFake((input: { Bucket: string; Key: string }) => {
        const text = objects.get(path(input))
        if (text === undefined) throw new NoSuchKey({ message: 'no such key', $metadata: {} })
        return { Body: { transformToString: async () => text } as GetObjectCommandOutput['Body'] }
      })
      .on(HeadObjectCommand)
      .callsFake((input: { Bucket: string; Key: string }) => {
        if (!objects.has(path(input))) throw new NotFound({ message: 'not found', $metadata: {} })
        return {}
      })
      .on(PutObjectCommand)
      .callsFake((input: { Bucket: string; Key: string; Body: string }) => {
        objects.set(path(input), input.Body)
        return {}
      })
      .on(DeleteObjectCommand)
      .callsFake((input: { Bucket: string; Key: string }) => {
        objects.delete(path(input))
        return {}
      })
  }

  /**
   * Does what `cdk deploy` does: writes a cloud assembly, uploads templates and assets, and changes the stacks.
   * @param templates by stack, such as `api`
   */
  function deploy(templates: Readonly<Record<string, object>>, assembly: string): void {
    mkdirSync(assembly, { recursive: true })
    const artifacts: Record<string, unknown> = {}
    for (const [stack, template] of Object.entries(templates)) {
      const name = `juno-dev-${stack}`
      const text = JSON.stringify(template)
      const key = `${createHash('sha256').update(text).digest('hex')}.json`
      const templateFile = `${name}.template.json`
      writeFileSync(join(assembly, templateFile), text)
      artifacts[name] = {
        type: 'aws:cloudformation:stack',
        properties: {
          templateFile,
          stackTemplateAssetObjectUrl: `s3://cdk-hnb659fds-assets-\${AWS::AccountId}-\${AWS::Region}/${key}`,
        },
      }
      objects.set(`${bootstrap}/${key}`, text)
      for (const [asset = ''] of text.matchAll(/[\w-]+\.zip/g)) objects.set(`${bootstrap}/${asset}`, 'zip')
      const existing = stacks.get(name)
      stacks.set(name, {
        id: existing?.id ?? `arn:aws:cloudformation:${fakeRegion}:${fakeAccountId}:stack/${name}/1`,
        status: existing ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE',
        template: text,
        parameters: { BootstrapVersion: '/cdk-bootstrap/hnb659fds/version' },
      })
    }
    writeFileSync(join(assembly, 'manifest.json'), JSON.stringify({ artifacts }))
  }

  return { stacks, objects, updates, failures, unchanged, sts, cloudFormation, s3, install, deploy }
}
