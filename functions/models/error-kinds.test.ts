import { expect, it } from 'vitest'
import { findErrorKind, type ErrorKind } from './error-kinds.ts'
import { readRejection } from './server-rejection.ts'
import { limitCpuTime } from '../../test/support/fuzz.ts'

/** Errors as servers send them: status (undefined in a stream), body, and where it was read. */
type Case = [kind: ErrorKind, status: number | undefined, body: unknown, source: string]

const openAi = (
  message: string,
  {
    type = 'invalid_request_error',
    param = null,
    code = null,
  }: object & { type?: string; param?: string | null; code?: string | number | null } = {},
) => ({
  error: { message, type, param, code },
})

it.each<Case>([
  // a limit of spending, an account, a policy
  [
    'spendLimit',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
      },
    },
    'NousResearch/hermes-agent#80553, anthropics/claude-code#38035',
  ],
  [
    'spendLimit',
    400,
    openAi('Budget has been exceeded! Current cost: 12.01, Max budget: 12.0', {
      type: 'budget_exceeded',
      code: '400',
    }),
    'docs.litellm.ai/docs/proxy/users',
  ],
  ['spendLimit', 400, openAi('no', { code: 'billing_hard_limit_reached' }), 'openai/openai-python#2037'],
  [
    'spendLimit',
    403,
    { error: { code: 403, message: 'Key limit exceeded (monthly limit).' } },
    'openrouter.ai/docs',
  ],
  [
    'spendLimit',
    429,
    { error: { code: '1308', message: 'Usage limit reached for 5 hour.' } },
    'docs.z.ai/api-reference/api-code',
  ],
  [
    'spendLimit',
    429,
    {
      error: {
        code: 429,
        message: 'Your project has exceeded its monthly spending cap.',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
    'ai.google.dev/gemini-api/docs/billing',
  ],
  [
    'noCredit',
    429,
    { error: { code: 429, message: 'Your prepayment credits are depleted.', status: 'RESOURCE_EXHAUSTED' } },
    'ai.google.dev/gemini-api/docs/billing',
  ],
  [
    'noCredit',
    undefined,
    { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
    'platform.minimax.io/docs/api-reference/errorcode',
  ],
  [
    'noCredit',
    400,
    {
      error: {
        code: 'Arrearage',
        type: 'Arrearage',
        message: 'Access denied, please make sure your account is in good standing.',
      },
    },
    'dataelement/bisheng#2426, HKUDS/nanobot#4048',
  ],
  [
    'noCredit',
    403,
    {
      error: {
        code: 'AllocationQuota.FreeTierOnly',
        message: 'The free tier of the model has been exhausted.',
      },
    },
    'help.aliyun.com/model-studio/error-code',
  ],
  [
    'suspended',
    412,
    openAi('Account x is suspended, possibly due to reaching the monthly limit.'),
    'docs.fireworks.ai',
  ],
  [
    'suspended',
    400,
    openAi('Organization has been restricted.', { code: 'organization_restricted' }),
    'community.groq.com',
  ],
  [
    'policy',
    404,
    {
      error: { message: 'No endpoints found matching your data policy (Free model publication).', code: 404 },
    },
    'openrouter.ai/docs/guides/privacy',
  ],
  [
    'policy',
    404,
    { error: { message: 'No allowed providers are available for the selected model.', code: 404 } },
    'openrouter.ai/docs',
  ],
  [
    'policy',
    503,
    {
      error: {
        message: 'There is no available model provider that meets your routing requirements.',
        code: 503,
      },
    },
    'openrouter.ai/docs/api/reference/errors-and-debugging',
  ],
  // a computer of one's own
  [
    'loading',
    503,
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    'containers/ramalama#2343, mostlygeek/llama-swap#146',
  ],
  [
    'loading',
    503,
    { error: 'Model Qwen/Qwen3 is currently loading', estimated_time: 20 },
    'huggingface.co/docs',
  ],
  [
    'loading',
    429,
    { __type: 'ModelNotReadyException', message: 'The model is not ready for inference.' },
    'docs.aws.amazon.com/bedrock',
  ],
  ['broken', 500, { error: 'error loading model: unknown architecture' }, 'ollama/ollama#4741'],
  [
    'memory',
    500,
    { error: 'model requires more system memory (9.1 GiB) than is available (4.2 GiB)' },
    'ollama/ollama#8597',
  ],
  ['memory', 500, { error: 'CUDA error: out of memory' }, 'ollama/ollama#8667'],
  [
    'memory',
    400,
    { error: 'Model loading was stopped due to insufficient system resources.' },
    'lmstudio-ai/lmstudio-bug-tracker#1',
  ],
  [
    'memory',
    undefined,
    { error: { message: 'error loading model: unable to allocate CUDA0 buffer' } },
    'ggml-org/llama.cpp',
  ],
  // filters, permissions, keys, and others with codes of their own
  [
    'filtered',
    400,
    {
      contentFilter: [{ level: 0, role: 'user' }],
      error: {
        code: '1301',
        message: 'System detected potentially unsafe or sensitive content in input or generation.',
      },
    },
    'docs.z.ai/api-reference/api-code',
  ],
  [
    'filtered',
    undefined,
    { base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } },
    'platform.minimax.io/docs/api-reference/errorcode',
  ],
  [
    'filtered',
    403,
    { error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO' },
    'docs.x.ai',
  ],
  [
    'notPermitted',
    400,
    openAi('The model `x` requires terms acceptance.', { code: 'model_terms_required' }),
    'console.groq.com/docs/errors',
  ],
  [
    'notPermitted',
    404,
    openAi('Your organization must be verified to use the model `o3`.', { code: 'model_not_found' }),
    'help.openai.com',
  ],
  [
    'notPermitted',
    429,
    {
      error: { code: '1311', message: 'Your current subscription plan does not yet include access to GLM.' },
    },
    'docs.z.ai/api-reference/api-code',
  ],
  [
    'key',
    undefined,
    { base_resp: { status_code: 2049, status_msg: 'invalid api key' } },
    'platform.minimax.io/docs/api-reference/errorcode',
  ],
  [
    'key',
    400,
    {
      error: { code: 400, message: 'API key expired. Please renew the API key.', status: 'INVALID_ARGUMENT' },
    },
    'ai.google.dev',
  ],
  [
    'busy',
    undefined,
    { base_resp: { status_code: 1002, status_msg: 'rate limit' } },
    'platform.minimax.io/docs/api-reference/errorcode',
  ],
  [
    'busy',
    503,
    { error: 'server busy, please try again.  maximum pending requests exceeded' },
    'ollama/ollama#8188',
  ],
  [
    'retired',
    400,
    openAi('The model `x` has been decommissioned.', { code: 'model_decommissioned' }),
    'console.groq.com/docs/deprecations',
  ],
  [
    'unknownModel',
    400,
    { message: 'The provided model identifier is invalid.' },
    'docs.aws.amazon.com/bedrock',
  ],
  // no credit
  [
    'noCredit',
    429,
    openAi('You exceeded your current quota, please check your plan and billing details.', {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
    'developers.openai.com/api/docs/guides/error-codes',
  ],
  [
    'noCredit',
    429,
    openAi('The credit balance is used up.', { code: 'credit_balance_exhausted' }),
    'developers.openai.com/api/docs/guides/error-codes',
  ],
  [
    'noCredit',
    429,
    {
      error: {
        message:
          'litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your current quota, please check your plan and billing details.',
        type: 'throttling_error',
        param: null,
        code: '429',
      },
    },
    'LiteLLM 1.108',
  ],
  [
    'noCredit',
    402,
    { error: { code: 402, message: 'This request requires more credits, or fewer max_tokens.' } },
    'openrouter.ai/docs/api/reference/errors-and-debugging',
  ],
  [
    'noCredit',
    402,
    openAi('Insufficient Balance', { type: 'unknown_error', code: 'invalid_request_error' }),
    'api-docs.deepseek.com/quick_start/error_codes',
  ],
  [
    'noCredit',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the Anthropic API.',
      },
    },
    'anthropics/claude-code#2034',
  ],
  [
    'noCredit',
    429,
    openAi('Your account is suspended due to insufficient balance', { type: 'exceeded_current_quota_error' }),
    'platform.moonshot.ai/docs/api/chat',
  ],
  ['noCredit', undefined, openAi('no', { code: 'insufficient_quota' }), 'in a stream'],
  // the model does not exist
  [
    'unknownModel',
    404,
    openAi('The model `m` does not exist or you do not have access to it.', { code: 'model_not_found' }),
    'developers.openai.com/api/docs/guides/error-codes',
  ],
  [
    'unknownModel',
    400,
    {
      error: {
        message:
          '/chat/completions: Invalid model name passed in model=m. Call `/v1/models` to view available models for your key.',
        type: 'invalid_request_error',
        param: 'model',
        code: '400',
      },
    },
    'LiteLLM 1.108',
  ],
  ['unknownModel', 400, openAi('Model Not Exist'), 'api-docs.deepseek.com'],
  ['unknownModel', 400, { error: { code: 400, message: 'm is not a valid model ID' } }, 'openrouter.ai'],
  [
    'unknownModel',
    404,
    openAi('model "m" not found, try pulling it first', { type: 'api_error' }),
    'ollama/ollama#3016',
  ],
  [
    'unknownModel',
    404,
    {
      object: 'error',
      message: 'The model `m` does not exist.',
      type: 'NotFoundError',
      param: null,
      code: 404,
    },
    'vllm-project/vllm',
  ],
  [
    'unknownModel',
    400,
    { object: 'error', message: 'Invalid model: m', type: 'invalid_model', param: null, code: '1500' },
    'docs.mistral.ai',
  ],
  [
    'unknownModel',
    404,
    { type: 'error', error: { type: 'not_found_error', message: 'model: claude-9' } },
    'platform.claude.com/docs/en/api/errors',
  ],
  [
    'unknownModel',
    404,
    {
      error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' },
    },
    'learn.microsoft.com/azure/ai-foundry/openai',
  ],
  [
    'unknownModel',
    404,
    [{ error: { code: 404, message: 'models/m is not found for API version v1main', status: 'NOT_FOUND' } }],
    'ai.google.dev/gemini-api/docs/troubleshooting',
  ],
  ['unknownModel', 410, 'Gone', 'RFC 9110, 15.5.11'],
  // shut down
  [
    'retired',
    404,
    openAi('The model `m` has been deprecated, learn more here', { code: 'model_not_found' }),
    'openai/openai-quickstart-node#127',
  ],
  [
    'retired',
    410,
    { detail: "The model 'm' has reached its end of life on 2026-08-07." },
    'NVIDIA/NemoClaw#11902',
  ],
  ['retired', 400, openAi('model m was shutdown'), 'groq.com/docs/deprecations'],
  [
    'retired',
    400,
    openAi('The model m has been retired'),
    'platform.claude.com/docs/en/about-claude/model-deprecations',
  ],
  ['retired', 400, openAi('Model m is no longer supported'), 'groq.com/docs/deprecations'],
  // too long
  [
    'tooLong',
    400,
    openAi(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      { code: 'context_length_exceeded', param: 'messages' },
    ),
    'OpenAI, Chat Completions',
  ],
  [
    'tooLong',
    400,
    openAi('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      code: 'context_length_exceeded',
      param: 'input',
    }),
    'OpenAI, Responses',
  ],
  [
    'tooLong',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 215001 tokens > 200000 maximum' },
    },
    'platform.claude.com/docs/en/api/errors',
  ],
  [
    'tooLong',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000',
      },
    },
    'platform.claude.com/docs/en/build-with-claude/context-windows',
  ],
  [
    'tooLong',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    'platform.claude.com/docs/en/api/errors',
  ],
  ['tooLong', 400, { message: 'Input is too long for requested model.' }, 'docs.aws.amazon.com/bedrock'],
  [
    'tooLong',
    500,
    {
      message:
        'input (613 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
    },
    'github.com/ggml-org/llama.cpp/blob/master/tools/server/server-context.cpp, of embeddings',
  ],
  [
    'tooLong',
    400,
    {
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14_429,
        n_ctx: 8_192,
      },
    },
    'llama.cpp b10434',
  ],
  [
    'tooLong',
    undefined,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      },
    },
    'llama.cpp b10434, in a stream',
  ],
  [
    'tooLong',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    'docs.x.ai',
  ],
  [
    'tooLong',
    400,
    { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081' },
    'docs.cohere.com/reference/errors',
  ],
  [
    'tooLong',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    'google-gemini/gemini-cli#5083',
  ],
  [
    'tooLong',
    400,
    {
      object: 'error',
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
    'docs.mistral.ai',
  ],
  [
    'tooLong',
    400,
    openAi('Please reduce the length of the messages or completion.', {
      code: 'context_length_exceeded',
      param: 'messages',
    }),
    'console.groq.com/docs/errors',
  ],
  [
    'tooLong',
    413,
    openAi('Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 8000', {
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    'console.groq.com/docs/rate-limits',
  ],
  ['tooLong', 400, openAi('Your request exceeded model token limit: 262144'), 'platform.moonshot.ai'],
  [
    'tooLong',
    422,
    {
      error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193',
      error_type: 'validation',
    },
    'huggingface/text-generation-inference#1103',
  ],
  ['tooLong', 400, openAi('invalid params, context window exceeds limit (2013)'), 'MiniMax-AI/MiniMax-M2#28'],
  [
    'tooLong',
    400,
    { error: { code: '1261', message: 'Prompt exceeds max length' } },
    'docs.z.ai/api-reference/api-code',
  ],
  [
    'tooLong',
    400,
    { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
    'lmstudio-ai/lmstudio-bug-tracker#237',
  ],
  [
    'tooLong',
    400,
    openAi('prompt too long; exceeded max context length by 12 tokens', { type: 'api_error' }),
    'ollama/ollama#12033',
  ],
  [
    'tooLong',
    400,
    openAi('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]', {
      code: 'invalid_parameter_error',
    }),
    'QwenLM/qwen-code#98',
  ],
  [
    'tooLong',
    400,
    {
      error: {
        code: 400,
        message:
          'Unable to submit request because the input token count is 33041 but model only supports up to 32768. Reduce the input token count and try again.',
        status: 'INVALID_ARGUMENT',
      },
    },
    'docs.cloud.google.com/vertex-ai',
  ],
  [
    'tooLong',
    422,
    {
      error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
      error_type: 'validation',
    },
    'huggingface/text-generation-inference, router/src/validation.rs',
  ],
  [
    'tooLong',
    400,
    openAi('The decoder prompt (length 5000) is longer than the maximum model length of 4096.', {
      type: 'BadRequestError',
      code: 400,
    }),
    'vllm-project/vllm, vllm/v1/engine',
  ],
  [
    'tooLong',
    400,
    openAi('Total tokens of image and text exceed max message tokens', { code: 'InvalidParameter' }),
    'www.volcengine.com/docs/82379',
  ],
  // a limit of a day, unless the server says when it ends
  [
    'spendLimit',
    429,
    openAi('Rate limit exceeded: free-models-per-day-high-balance.', {
      type: 'rate_limit_error',
      code: '429',
    }),
    'Gitlawb/openclaude#1549',
  ],
  [
    'busy',
    429,
    openAi('Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 57m36s.', {
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    'console.groq.com/docs/rate-limits',
  ],
  // a limit of tokens in some time is none of a prompt
  [
    'busy',
    undefined,
    {
      type: 'error',
      error: {
        type: 'throttlingException',
        message: 'Too many tokens, please wait before trying again.',
      },
    },
    'jin-bo/agentao#88, in a stream',
  ],
  [
    'busy',
    503,
    openAi('ThrottlingException: Too many tokens, please wait before trying again.'),
    'jin-bo/agentao#88, behind a gateway',
  ],
  [
    'spendLimit',
    429,
    { message: 'Too many tokens per day, please wait before trying again.' },
    'jin-bo/agentao#88, of a day',
  ],
  // filtered
  [
    'filtered',
    400,
    {
      error: {
        code: 'content_filter',
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    },
    'learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
  ],
  ['filtered', 400, openAi('no', { code: 'content_policy_violation' }), 'OpenAI, images'],
  [
    'filtered',
    400,
    openAi('no', { code: 'ResponsibleAIPolicyViolation' }),
    'learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
  ],
  [
    'filtered',
    400,
    openAi('Invalid prompt: your prompt was flagged', { code: 'invalid_prompt' }),
    'OpenAI, Responses',
  ],
  ['filtered', 400, openAi('Content Exists Risk'), 'deepseek-ai/DeepSeek-V3#631'],
  [
    'filtered',
    400,
    openAi('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
    'help.aliyun.com/zh/model-studio/error-code',
  ],
  [
    'filtered',
    403,
    {
      error: {
        code: 403,
        message: 'm requires moderation. Your input was flagged for: violence',
        metadata: { reasons: ['violence'] },
      },
    },
    'openrouter.ai/docs/api/reference/errors-and-debugging',
  ],
  // region
  [
    'region',
    403,
    openAi('Country, region, or territory not supported', {
      code: 'unsupported_country_region_territory',
      type: 'request_forbidden',
    }),
    'developers.openai.com/api/docs/supported-countries',
  ],
  [
    'region',
    400,
    [
      {
        error: {
          code: 400,
          message: 'User location is not supported for the API use.',
          status: 'FAILED_PRECONDITION',
        },
      },
    ],
    'ai.google.dev/gemini-api/docs/available-regions',
  ],
  // the key
  [
    'key',
    401,
    openAi('Incorrect API key provided: sk-1***', { code: 'invalid_api_key' }),
    'developers.openai.com/api/docs/guides/error-codes',
  ],
  [
    'key',
    403,
    { type: 'error', error: { type: 'permission_error', message: 'no' } },
    'platform.claude.com/docs/en/api/errors',
  ],
  [
    'key',
    400,
    [
      {
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    'ai.google.dev/gemini-api/docs/troubleshooting',
  ],
  ['spendLimit', undefined, { error: { message: 'quota exceeded' } }, 'apache/rocketmq-dashboard#2178'],
  ['busy', 429, openAi('Quota exceeded for requests per minute'), 'a limit of a minute'],
  ['notPermitted', 403, { message: 'not you', code: 'AccessDeniedException' }, 'docs.aws.amazon.com/bedrock'],
  [
    'notPermitted',
    403,
    openAi('Project `p` does not have access to model `m`', { code: 'model_not_found' }),
    'openai/openai-python#2126',
  ],
  ['refused', 403, '<html><title>Attention Required!</title>', 'a web application firewall'],
  // busy
  [
    'busy',
    429,
    openAi('Rate limit reached for m', { type: 'requests', code: 'rate_limit_exceeded' }),
    'developers.openai.com/api/docs/guides/rate-limits',
  ],
  ['busy', 429, {}, 'without words'],
  ['busy', 429, openAi('Please reduce the length of the messages'), 'the status comes first'],
  [
    'busy',
    429,
    [
      {
        error: {
          code: 429,
          message: 'You exceeded your current quota, please check your plan and billing details.',
          status: 'RESOURCE_EXHAUSTED',
        },
      },
    ],
    'ai.google.dev/gemini-api/docs/rate-limits, per minute',
  ],
  [
    'busy',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'platform.claude.com/docs/en/api/errors',
  ],
  ['busy', 529, openAi('The engine is at its limit'), 'over the other APIs'],
  ['busy', 498, openAi('flex tier capacity exceeded'), 'console.groq.com/docs/errors'],
  [
    'busy',
    503,
    openAi('The engine is currently overloaded, please try again later'),
    'developers.openai.com/api/docs/guides/error-codes',
  ],
  [
    'busy',
    503,
    [{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }],
    'ai.google.dev/gemini-api/docs/troubleshooting',
  ],
  ['busy', undefined, { error: { code: 429, message: 'Rate limit exceeded' } }, 'openrouter.ai, in a stream'],
  ['busy', undefined, { error: { code: 529, message: 'no' } }, 'numeric code in a stream'],
  [
    'busy',
    undefined,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'platform.claude.com/docs/en/build-with-claude/streaming',
  ],
  ['busy', undefined, { code: 'ThrottlingException', message: 'throttled' }, 'Bedrock, in a stream'],
  ['key', 401, openAi('<key> is not valid'), 'a sentence, which is no page'],
  // efforts
  [
    'effort',
    400,
    openAi("Unsupported value: 'xhigh'", { param: 'reasoning.effort', code: 'unsupported_value' }),
    'openai/codex#6647',
  ],
  [
    'effort',
    400,
    openAi('Unrecognized request argument supplied: reasoning_effort'),
    'NousResearch/hermes-agent#24234',
  ],
  [
    'effort',
    400,
    {
      code: 'Client specified an invalid argument',
      error: 'Model m does not support parameter reasoningEffort.',
    },
    'docs.x.ai/docs/guides/reasoning',
  ],
  [
    'effort',
    400,
    openAi("output_config.effort: Input should be 'low', 'medium' or 'high'"),
    'https://platform.claude.com/docs/en/build-with-claude/effort',
  ],
  ['effort', 400, openAi('This model does not support the effort parameter.'), 'the same'],
  ['effort', 400, openAi('effort: Extra inputs are not permitted'), 'the same'],
  ['refused', 400, openAi('effortless: no'), 'another word'],
  ['refused', 400, openAi('reasoning_effort is fine'), 'words about it that reject nothing'],
  ['refused', 400, openAi('no', { param: 'my_reasoning_effort' }), 'another parameter'],
  // a call that the model wrote badly
  [
    'badCall',
    400,
    openAi(
      "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      { code: 'tool_use_failed' },
    ),
    'agno-agi/agno#4090',
  ],
  // no model server
  ['notModelServer', 404, { detail: 'Not Found' }, 'FastAPI'],
  ['notModelServer', 404, '<html><title>404</title></html>', 'nginx'],
  [
    'notModelServer',
    404,
    { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } },
    'llama.cpp',
  ],
  ['notModelServer', 405, { detail: 'Method Not Allowed' }, 'FastAPI'],
  // faults
  ['silent', 504, '<html>', 'nginx'],
  ['silent', 524, '', 'developers.cloudflare.com/support/troubleshooting/http-status-codes'],
  ['silent', 408, {}, 'RFC 9110'],
  [
    'broken',
    500,
    openAi('The server had an error while processing your request'),
    'developers.openai.com/api/docs/guides/error-codes',
  ],
  ['broken', 502, '<html>Bad Gateway</html>', 'nginx'],
  ['memory', undefined, { error: 'out of memory' }, 'Ollama, in a stream'],
  [
    'memory',
    undefined,
    { object: 'error', message: 'CUDA out of memory', type: 'InternalServerError', param: null, code: 500 },
    'vllm-project/vllm#6862, in a stream',
  ],
  // no cause is claimed of what is not known
  [
    'refused',
    400,
    openAi('Conversation roles must alternate user/assistant/user/assistant/...'),
    'vllm-project/vllm#6862',
  ],
  [
    'refused',
    400,
    openAi('The `reasoning_content` in the thinking mode must be passed back to the API.', {
      code: 'invalid_request_error',
    }),
    'earendil-works/pi#3636',
  ],
  [
    'refused',
    404,
    { error: { message: 'No endpoints found that support tool use.', code: 404 } },
    'openrouter.ai',
  ],
  [
    'refused',
    422,
    {
      detail: [
        { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
      ],
    },
    'FastAPI',
  ],
  ['refused', 418, '', 'anything else'],
])('%s: %s %j (%s)', (kind, status, body) => {
  expect(findErrorKind(readRejection(body, { status }))).toBe(kind)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  expect(findErrorKind(readRejection(text, { status }))).toBe(kind)
})

it('reads a message of any size at once', () => {
  const readAll = () => {
    for (const unit of ['model ', 'context ', 'not support ', 'tokens ', '<', '{', '"', "'", '1', 'a@', '1 '])
      findErrorKind(readRejection(unit.repeat(200_000), { status: 400 }))
  }
  expect(() => limitCpuTime(readAll, 2_000)).not.toThrow()
})

it.each([
  'context_length_exceeded',
  'invalid_prompt',
  'model_terms_required',
  'invalid_api_key',
  'slow_down',
  'timeout_error',
  'model_not_found',
])('knows %s as a whole code, not as a part of another one', (code) => {
  const find = (word: string) =>
    findErrorKind(readRejection({ error: { code: word, message: 'No.' } }, { status: 400 }))
  expect(find(code)).not.toBe('refused')
  expect([find(`my${code}`), find(`${code}s`)]).toEqual(['refused', 'refused'])
})
