// for tests beside the code, which may not import infra/local
export { serveMcp } from '../../infra/local/doubles/demo-server/serve-mcp.ts'
export { startDemoServer } from '../../infra/local/doubles/demo-server/server.ts'
export { openTaskStore, type TaskProgress } from '../../infra/local/doubles/demo-server/task-store.ts'
