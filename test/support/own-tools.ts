/** The product's own tools that every saved conversation offers, in the order in which models get them. */
export const documentTools = [
  'read_result',
  'read_attachment',
  'search_files',
  'query_table',
  'read_page',
  'create_file',
] as const
export const scheduleTools = ['list_schedules', 'create_schedule', 'change_schedule'] as const
