import { expect, it } from 'vitest'
import { findFoundationModel } from './bedrock-models.ts'

it.each([
  ['openai.gpt-oss-120b-1:0', 'openai.gpt-oss-120b-1:0'],
  ['us.anthropic.claude-sonnet-5', 'anthropic.claude-sonnet-5'],
  ['global.openai.gpt-6-sol', 'openai.gpt-6-sol'],
  ['arn:aws:bedrock:eu-west-1::foundation-model/openai.gpt-6-sol', 'openai.gpt-6-sol'],
  ['arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-sonnet-5', 'anthropic.claude-sonnet-5'],
  ['arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc', undefined],
  ['arn:aws:bedrock:eu-west-1:1:imported-model/xyz', undefined],
])('the model behind %s is %s', (id, model) => {
  expect(findFoundationModel(id)).toBe(model)
})
