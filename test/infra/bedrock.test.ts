import { describe, expect, it } from 'vitest'
import { configurations } from './configurations.ts'
import { synthesise } from './synthesised.ts'

const app = synthesise(configurations.bedrock)
const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream']

interface Statement {
  Action: string[]
  Effect: string
  Resource: string | string[]
  Condition?: unknown
}

/** A function's permissions at Bedrock, one line for each resource: the CDK merges statements. */
const bedrockGrants = (id: string, synthesised = app) =>
  (synthesised.listStatements('api', id) as Statement[])
    .filter((statement) => JSON.stringify(statement).includes('bedrock:Invoke'))
    .flatMap(({ Resource, ...rest }) => [Resource].flat().map((resource) => ({ ...rest, resource })))
    .toSorted((a, b) => a.resource.localeCompare(b.resource))

const allow = (resource: string, profile?: string) => ({
  Action: actions,
  Effect: 'Allow',
  resource,
  ...(profile && { Condition: { StringEquals: { 'bedrock:InferenceProfileArn': profile } } }),
})
const profileArn = (id: string) => `arn:<Partition>:bedrock:<Region>:<AccountId>:inference-profile/${id}`

describe('a model on Bedrock', () => {
  it('needs no secret, and the chat function is told so', () => {
    expect(app.resources('data', 'AWS::SecretsManager::Secret').map(({ id }) => id)).toEqual(['SealingKey'])
    expect(app.outputs('data')).not.toHaveProperty('ModelKeySecret')
    const { Variables } = app.named('api', 'AWS::Lambda::Function', 'Chat').Properties['Environment'] as {
      Variables: Record<string, string>
    }
    expect(Variables).toMatchObject({ MODEL_SERVER: 'bedrock', OPENAI_MODEL: 'us.anthropic.claude-sonnet-5' })
    for (const name of ['MODEL_KEY_SECRET', 'OPENAI_BASE_URL', 'OPENAI_IMAGE_MODEL'])
      expect(Variables).not.toHaveProperty(name)
  })

  it('INFRA-18 the chat function may call the configured models, and through profiles the models of their regions', () => {
    const usProfile = profileArn('us.anthropic.claude-sonnet-5')
    const globalProfile = profileArn('global.openai.gpt-6-sol')
    const model = (region: string, id: string) => `arn:<Partition>:bedrock:${region}::foundation-model/${id}`
    const grants = [
      allow(usProfile),
      allow(model('*', 'anthropic.claude-sonnet-5'), usProfile),
      allow(globalProfile),
      allow(model('<Region>', 'openai.gpt-6-sol'), globalProfile),
      allow(model('', 'openai.gpt-6-sol'), globalProfile),
      allow(model('<Region>', 'openai.gpt-oss-120b-1:0')),
    ]
    expect(bedrockGrants('Chat')).toHaveLength(grants.length)
    expect(bedrockGrants('Chat')).toEqual(expect.arrayContaining(grants))
  })

  it('INFRA-18 the daily check may read these models’ end dates, and has no key to read', () => {
    const models = ['anthropic.claude-sonnet-5', 'openai.gpt-6-sol', 'openai.gpt-oss-120b-1:0']
    const statements = app.listStatements('api', 'ModelCheck') as Statement[]
    expect(statements.filter(({ Action }) => !/^(logs|xray|sqs):/.test(String([Action].flat()[0])))).toEqual([
      {
        Action: 'bedrock:GetFoundationModel',
        Effect: 'Allow',
        Resource: models.map((id) => `arn:<Partition>:bedrock:<Region>::foundation-model/${id}`),
      },
    ])
    expect(app.outputs('api')).toHaveProperty('ModelCheckFunction')
  })

  it('INFRA-18 no other function may call models, nor the chat function without Bedrock', () => {
    const callers = app
      .resources('api', 'AWS::Lambda::Function')
      .filter(({ id }) => bedrockGrants(id).length > 0)
    expect(callers.map(({ id }) => id)).toEqual(['Chat', 'ScheduleWorker'])
    expect(bedrockGrants('Chat', synthesise())).toEqual([])
  })

  it('INFRA-18 ARNs are granted as they are; an application’s profile allows its model through the profile only', () => {
    const applicationProfile = 'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc'
    const importedModel = 'arn:aws:bedrock:eu-west-1:111122223333:imported-model/xyz'
    const withArns = synthesise({
      modelServer: 'bedrock',
      openaiModel: applicationProfile,
      models: [{ id: applicationProfile }, { id: importedModel }],
    })
    const grants = [
      allow(applicationProfile),
      allow('arn:<Partition>:bedrock:*::foundation-model/*', applicationProfile),
      allow(importedModel),
    ]
    expect(bedrockGrants('Chat', withArns)).toHaveLength(grants.length)
    expect(bedrockGrants('Chat', withArns)).toEqual(expect.arrayContaining(grants))
  })
})
