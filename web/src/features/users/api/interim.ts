import { client } from '@/api/client';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Call = (path: string, init?: object) => Promise<{ data?: never; error?: unknown; response: Response }>;

/** The client for calls that the API document does not name yet. */
export const interimClient = client as unknown as Record<Method, Call>;
