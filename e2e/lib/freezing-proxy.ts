import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A connection on its way through Berth's proxy: what it still has to deliver waits in the sockets. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/**
 * Stands between a browser and the server. Frozen, it forwards nothing and closes nothing: what a lost Wi-Fi looks like
 * to both. Connections that are opened meanwhile are taken and hang.
 */
export interface FreezingProxy {
  readonly origin: string;
  readonly freeze: () => void;
  /** Forwards again; connections from before stay dead, as those of a lost network do. */
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
}

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Starts a proxy to a server on this machine. */
export async function startProxy(serverPort: number): Promise<FreezingProxy> {
  let isFrozen = false;
  const pairs = new Set<Pair>();
  const frozen = new Set<Socket>();
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (isFrozen) {
      near.pause();
      frozen.add(near);
      return;
    }
    const far = connect(serverPort, '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    const end = () => {
      if (frozen.has(near)) return;
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    far.on('error', end).on('close', end);
    near.on('close', end);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    freeze: () => {
      isFrozen = true;
      for (const { near, far } of pairs) {
        for (const socket of [near, far]) {
          socket.unpipe();
          socket.pause();
          frozen.add(socket);
        }
      }
      pairs.clear();
    },
    thaw: () => {
      isFrozen = false;
    },
    stop: async () => {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      for (const socket of frozen) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
