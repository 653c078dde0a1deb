/** CAP-04 to CAP-09: what the built-in tools of an integration can do, by its entry’s id. */
export const builtinCapabilities: Readonly<Record<string, readonly string[]>> = {
  gmail: ['get_emails', 'send_email'],
  'google-drive': ['list_files', 'create_file'],
  hubspot: ['get_contacts', 'get_deals'],
}
