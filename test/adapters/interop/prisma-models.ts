/**
 * The models of the documentation of Auth.js, with a column of the application. In the newer models, accounts and
 * sessions are identified by their keys; in the older ones, by an id. Those for MySQL have long columns for tokens.
 */
export function modelsOf(age: 'newer' | 'older', isMysql = false): string {
  const isOlder = age === 'older';
  const id = isOlder ? 'id String @id @default(cuid())' : '';
  const accountKey = isOlder ? '@@unique([provider, providerAccountId])' : '@@id([provider, providerAccountId])';
  const long = isMysql ? '@db.Text' : '';
  const stamps = `
  createdAt DateTime @default(now())
  updatedAt DateTime @updatedAt`;
  return `
model User {
  id            String    @id @default(cuid())
  name          String?
  email         String${isOlder ? '?' : ''}   @unique
  emailVerified DateTime?
  image         String?
  role          String    @default("reader")
  accounts      Account[]
  sessions      Session[]
  Authenticator Authenticator[]
  ${stamps}
}

model Account {
  ${id}
  userId            String
  type              String
  provider          String
  providerAccountId String
  refresh_token     String? ${long}
  access_token      String? ${long}
  expires_at        Int?
  token_type        String? ${long}
  scope             String? ${long}
  id_token          String? ${long}
  session_state     String? ${long}
  user              User    @relation(fields: [userId], references: [id], onDelete: Cascade)
  ${stamps}

  ${accountKey}
}

model Session {
  ${id}
  sessionToken String   @unique
  userId       String
  expires      DateTime
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)
  ${stamps}
}

model VerificationToken {
  identifier String
  token      String
  expires    DateTime

  ${isOlder ? '@@unique' : '@@id'}([identifier, token])
}

model Authenticator {
  credentialID         String  @unique
  userId               String
  providerAccountId    String
  credentialPublicKey  String
  counter              Int
  credentialDeviceType String
  credentialBackedUp   Boolean
  transports           String?
  user                 User    @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@id([userId, credentialID])
}
`;
}
