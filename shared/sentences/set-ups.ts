import { defineSentences } from './to-sentence.ts'

/** Errors of setting a connection up, which the chat does not do. */
export const setUpSentences = {
  'setup_required.steps': '{name} could not be connected in one click. Please follow these steps once.',
  'setup_required.discovery':
    '{name} demands a sign-in, but {problem}. If it gives out API keys, you can enter one.',
  'foreign_sign_in.agree':
    '{name} ({server}) signs you in at {hosts, list}. What you allow there, {server} may use.',
  'manual_registration.other_redirect':
    'The sign-in of {name} needs an app with the redirect URI shown here. Create one at {host}, or use your own API key.',
  'manual_registration.not_offered':
    '{name} does not register apps automatically. Create one at {host}, or use your own API key.',
  'manual_registration.busy':
    '{name} takes no registrations right now: please try again in a moment. If that does not help: Create one at {host}, or use your own API key.',
  'manual_registration.busy_wait':
    '{name} takes no registrations right now: please try again {seconds, wait}. If that does not help: Create one at {host}, or use your own API key.',
  'manual_registration.refused':
    '{name} did not register this app. Create one at {host}, or use your own API key.',
  'manual_registration.refused_status':
    '{name} did not register this app ({status}). Create one at {host}, or use your own API key.',
  'discovery.other_resource': 'its description of itself belongs to another server',
  'discovery.unreadable': 'the description of its sign-in cannot be read',
  'discovery.none': 'it does not say where users sign in',
  'discovery.other_name': 'its sign-in server gives itself another name',
  'discovery.no_pkce': 'PKCE with S256 is not supported',
  'discovery.no_code_flow': 'the authorization code flow is not supported',
  'discovery.other_origin': 'the authorization endpoint is at another origin',
  'setup_required.client_id': 'Client ID is required to continue',
  'bad_request.other_fields': '{name} asks for {labels, name} now. Reload the page and connect again.',
  'bad_request.signs_in': '{name} is connected by a sign-in.',
  'bad_request.no_sign_in': '{name} cannot be connected by a sign-in.',
  'bad_request.field_required': '{label, name} is required.',
  'bad_request.field_invalid': '{label, name} is not valid.',
  'bad_request.too_many_fields': 'At most {max} fields are possible.',
  'bad_request.tool_name': 'Tool name is required',
  'bad_request.empty_key': 'The key is empty.',
  'bad_request.no_url': 'Server URL is required to test the connection.',
  'bad_request.redirect_uri': 'The redirect URI does not belong to this product.',
} as const

export const saySetUp = defineSentences(setUpSentences)
