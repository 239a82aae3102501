/**
 * The minimum work of a server on Node's HTTP module: the path is the size of the body, and the body comes from a map of
 * prebuilt buffers. `/0` is answered with a 304.
 */
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const bodies = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const url = request.url!
  if (url === '/0') {
    response.writeHead(304).end()
    return
  }
  let body = bodies.get(url)
  if (body === undefined) {
    body = Buffer.alloc(Number(url.slice(1)), '{"title":"ready"}')
    bodies.set(url, body)
  }
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
    .end(body)
})

const processes = Number(process.argv[2] ?? 1)
if (processes > 1 && cluster.isPrimary) {
  let ready = 0
  cluster.on('listening', (_, { port }) => {
    if (++ready === processes) console.log(`listening ${port}`)
  })
  for (let i = 0; i < processes; i++) cluster.fork()
  process.once('SIGTERM', () => process.exit(0))
} else {
  server.listen(0, '127.0.0.1', () => {
    if (cluster.isPrimary) console.log(`listening ${(server.address() as AddressInfo).port}`)
  })
}
