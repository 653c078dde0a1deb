import { describe, expect, it } from 'vitest'
import { hashTemplate, listAssets, orderChanges, parseTemplate, type Template } from './templates.ts'

const exporting = (...names: string[]): Template => ({
  Outputs: Object.fromEntries(names.map((Name, at) => [`Output${at}`, { Value: 'x', Export: { Name } }])),
})
const importing = (name: string, rest: Template = {}) =>
  ({ ...rest, Resources: { Reader: { Type: 'X', Properties: { 'Fn::ImportValue': name } } } }) as Template
const region = 'eu-west-1'
const order = (changes: Record<string, [deployed: Template, target: Template]>) =>
  orderChanges(
    Object.entries(changes).map(([name, [deployed, target]]) => ({ name, region, deployed, target })),
  )?.map(({ name }) => name)

describe('the order of a rollback', () => {
  it('is against the order of deployment', () => {
    expect(order({ data: [{}, {}], api: [{}, {}], web: [{}, {}] })).toEqual(['web', 'api', 'data'])
  })

  it('lets a stack that imports a value wait for the one that exports it again, and no other one', () => {
    expect(
      order({ data: [{}, exporting('a')], auth: [{}, {}], api: [{}, importing('a')], web: [{}, {}] }),
    ).toEqual(['web', 'auth', 'data', 'api'])
  })

  // https://github.com/aws/aws-cdk/issues/10961
  it('is none if one stack imports a value that is only exported before, and one that is only exported after', () => {
    expect(
      order({ data: [exporting('old'), exporting('new')], api: [importing('old'), importing('new')] }),
    ).toBe(undefined)
  })

  it('is not changed by values that both export', () => {
    const both = exporting('a')
    expect(order({ data: [both, both], api: [importing('a'), importing('a')] })).toEqual(['api', 'data'])
  })
})

describe('a template', () => {
  it('has the same hash whatever the order of its keys, and another one for another list', () => {
    const hash = (text: string) => hashTemplate(parseTemplate(text))
    expect(hash('{"a": {"x": 1, "y": [2, 3]}, "b": null}')).toBe(hash('{"b":null,"a":{"y":[2,3],"x":1}}'))
    expect(hash('{"a":[1,2]}')).not.toBe(hash('{"a":[2,1]}'))
  })

  it('names code, layers and sources of the site, each once, and no bucket that it computes', () => {
    const bucket = { 'Fn::Sub': 'cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}' }
    const template = {
      Resources: {
        Chat: { Type: 'F', Properties: { Code: { S3Bucket: bucket, S3Key: 'chat.zip' } } },
        Copy: { Type: 'F', Properties: { Code: { S3Bucket: bucket, S3Key: 'chat.zip' } } },
        Cli: { Type: 'L', Properties: { Content: { S3Bucket: 'shared', S3Key: 'cli.zip' } } },
        Own: { Type: 'F', Properties: { Code: { S3Bucket: { Ref: 'Bucket' }, S3Key: 'own.zip' } } },
        Pages: {
          Type: 'S',
          Properties: { SourceBucketNames: [bucket, bucket], SourceObjectKeys: ['site.zip', 'config.zip'] },
        },
      },
    }
    expect(listAssets(template, { account: '1', region }).map((one) => `${one.bucket}/${one.key}`)).toEqual([
      'cdk-hnb659fds-assets-1-eu-west-1/chat.zip',
      'shared/cli.zip',
      'cdk-hnb659fds-assets-1-eu-west-1/site.zip',
      'cdk-hnb659fds-assets-1-eu-west-1/config.zip',
    ])
  })
})
