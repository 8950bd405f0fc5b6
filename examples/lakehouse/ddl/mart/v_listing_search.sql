-- owner: analytics
CREATE VIEW mart.v_listing_search (
  listing_id COMMENT 'Id do anúncio',
  resumo COMMENT 'Título, tipo e cidade; para a busca',
  preco COMMENT 'Aluguel + condomínio + IPTU (R$)',
  fotos COMMENT 'Número de fotos')
COMMENT 'O que a busca do site mostra'
TBLPROPERTIES (
  'transient_lastDdlTime' = '1780041600')
AS SELECT v.listing_id, concat_ws(' · ', v.titulo, v.tipo_imovel, v.city), v.total_brl, d.n_fotos
FROM clean.v_active_listings v
LEFT JOIN mart.dim_listing d ON v.listing_id = d.listing_id
