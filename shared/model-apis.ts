/** The APIs that models are asked with: OpenAI's Responses and Chat Completions, Anthropic's Messages. */
export const modelApis = ['responses', 'chat', 'messages'] as const
